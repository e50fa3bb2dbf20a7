/** Decisions and constraints in German, French, Spanish and Chinese: few patterns, and sure ones. Pure. */

export const OTHER_DECISIONS = new RegExp(
  [
    '^wir (?:nehmen|verwenden|nutzen|bleiben bei|behalten|setzen auf|verzichten auf)\\b',
    '^wir haben (?:uns )?(?:[^.]{1,60} )?(?:entschieden|beschlossen|geeinigt)\\b',
    '\\blasst? uns (?:bei|[^.]{1,60}(?:nehmen|verwenden|behalten))\\b',
    '^(?:on|nous) (?:a décidé|avons décidé|garde|gardons|utilisera|utiliserons|utilise|utilisons|part sur|partons sur|reste sur|restons sur|abandonne|abandonnons)(?= )',
    '^(?:hemos decidido|decidimos|vamos a usar|usaremos|nos quedamos con|vamos con|descartamos)(?= )',
    '^(?:我们|我)?(?:已经)?(?:决定|最终决定|选择了|选定|改用|统一使用|就用|还是用)',
  ].join('|'),
)

export const OTHER_CONSTRAINTS = new RegExp(
  [
    '^(?:niemals|auf keinen fall|bitte (?:nicht|niemals|immer|nie)) \\S+',
    '\\b(?:darf|dürfen|muss|müssen) (?:[^.]{1,60} )?(?:nicht|nie|niemals|immer|zwingend|unbedingt)\\b',
    '^(?:ne (?:jamais|pas)|toujours|il (?:faut|ne faut pas|est interdit)) \\S+',
    '^(?:nunca|siempre|no (?:uses?|toques?|modifiques?|hagas?|cambies?)|está prohibido|hay que) \\S+',
    '^(?:请)?(?:不要|不得|禁止|必须|务必|切勿|千万不要|只能|绝不)',
  ].join('|'),
)
