/**
 * The order in which a conversation with branches is read. Whoever edits a prompt or asks for another answer leaves a
 * branch behind: it is kept, told apart, and stands where it takes nothing away from the thread that was followed.
 */

export interface ThreadNode<Value> {
  id: string
  /** The node before; empty for the first one. A node whose parent is not there is a first one. */
  parent: string
  at: number | undefined
  /** It opens a turn. */
  isPrompt: boolean
  value: Value
}

/** `main`: the current thread. `turn`: in an abandoned turn of its own. `answer`: an abandoned answer to a prompt that was kept. */
export type Branch = 'main' | 'turn' | 'answer'

export interface ThreadStep<Value> {
  node: ThreadNode<Value>
  branch: Branch
}

/**
 * Every node once. Abandoned answers stand in the turn they answered, ahead of what was answered in the end; abandoned
 * turns stand ahead of the turn that replaced them. `current`: the last node of the current thread; where it is not
 * known, the newest node is taken.
 */
export function inThreadOrder<Value>(nodes: readonly ThreadNode<Value>[], current: string): ThreadStep<Value>[] {
  const tree = plant(nodes)
  const named = tree.byId.get(current)
  const leaf = named && tree.newest.has(named) ? named : newest(tree, tree.roots)
  const steps = leaf === undefined ? [] : thread(tree, tree.roots, leaf, 'main')
  // What hangs on itself in a circle has no first node.
  const told = new Set(steps.map(({ node }) => node))
  for (const node of tree.byId.values()) if (!told.has(node)) steps.push({ node, branch: 'turn' })
  return steps
}

interface Tree<Value> {
  byId: Map<string, ThreadNode<Value>>
  children: Map<ThreadNode<Value>, ThreadNode<Value>[]>
  roots: ThreadNode<Value>[]
  /** The newest node at or below each; none of a circle. */
  newest: Map<ThreadNode<Value>, ThreadNode<Value>>
}

function plant<Value>(nodes: readonly ThreadNode<Value>[]): Tree<Value> {
  const tree: Tree<Value> = { byId: new Map(), children: new Map(), roots: [], newest: new Map() }
  for (const node of nodes) if (!tree.byId.has(node.id)) tree.byId.set(node.id, node)
  for (const node of tree.byId.values()) {
    const parent = tree.byId.get(node.parent)
    const siblings = !parent || parent === node ? tree.roots : (tree.children.get(parent) ?? [])
    siblings.push(node)
    if (parent && parent !== node) tree.children.set(parent, siblings)
  }
  const order = [...tree.roots]
  for (const node of order) for (const child of childrenOf(tree, node)) order.push(child)
  for (const node of order.reverse()) {
    tree.newest.set(node, newest(tree, childrenOf(tree, node)) ?? node)
  }
  return tree
}

function childrenOf<Value>(tree: Tree<Value>, node: ThreadNode<Value>): readonly ThreadNode<Value>[] {
  return tree.children.get(node) ?? []
}

/** The newest leaf below siblings; of several that are equally new, or have no time, the last. */
function newest<Value>(tree: Tree<Value>, siblings: readonly ThreadNode<Value>[]): ThreadNode<Value> | undefined {
  let found: ThreadNode<Value> | undefined
  for (const sibling of siblings) {
    const leaf = tree.newest.get(sibling) ?? sibling
    if (!found || (leaf.at ?? 0) >= (found.at ?? 0)) found = leaf
  }
  return found
}

/** One turn of a thread: its own nodes, and the abandoned turns to be told before it. */
interface Segment<Value> {
  before: ThreadStep<Value>[]
  own: ThreadStep<Value>[]
}

/** The thread from some first nodes down to a leaf, with everything that branches off on the way. */
function thread<Value>(
  tree: Tree<Value>,
  starts: readonly ThreadNode<Value>[],
  leaf: ThreadNode<Value>,
  branch: Exclude<Branch, 'answer'>,
): ThreadStep<Value>[] {
  const path = pathTo(tree, starts, leaf)
  let segment: Segment<Value> = { before: [], own: [] }
  const segments = [segment]
  let siblings = starts
  for (const [place, node] of path.entries()) {
    const others = siblings.filter((sibling) => sibling !== node)
    const answers = others.filter(({ isPrompt }) => !isPrompt).map((other) => abandonedAnswer(tree, other))
    const turns = others.filter(({ isPrompt }) => isPrompt)
    // What went on from an abandoned answer belongs before the turn that was answered differently.
    segment.before.push(
      ...turnsFrom(
        tree,
        answers.flatMap(({ prompts }) => prompts),
      ),
    )
    segment.own.push(...answers.flatMap(({ steps }) => steps))
    if (node.isPrompt) {
      segment = { before: [], own: [] }
      segments.push(segment)
    }
    segment.before.push(...turnsFrom(tree, turns))
    segment.own.push({ node, branch })
    siblings = childrenOf(tree, node)
    if (place === path.length - 1) addBehind(tree, segment, siblings)
  }
  return segments.flatMap(({ before, own }) => [...before, ...own])
}

/** What goes on behind the last node of a thread: somebody went back there. */
function addBehind<Value>(
  tree: Tree<Value>,
  { before, own }: Segment<Value>,
  children: readonly ThreadNode<Value>[],
): void {
  const answers = children.filter(({ isPrompt }) => !isPrompt).map((child) => abandonedAnswer(tree, child))
  before.push(
    ...turnsFrom(
      tree,
      children.filter(({ isPrompt }) => isPrompt),
    ),
    ...turnsFrom(
      tree,
      answers.flatMap(({ prompts }) => prompts),
    ),
  )
  const last = own.at(-1)
  own.splice(last === undefined || last.node.isPrompt ? own.length : -1, 0, ...answers.flatMap(({ steps }) => steps))
}

function pathTo<Value>(
  tree: Tree<Value>,
  starts: readonly ThreadNode<Value>[],
  leaf: ThreadNode<Value>,
): ThreadNode<Value>[] {
  const ends = new Set(starts)
  const path = [leaf]
  for (let node = leaf; !ends.has(node); ) {
    const parent = tree.byId.get(node.parent)
    if (!parent) break
    path.push(parent)
    node = parent
  }
  return path.reverse()
}

/** An answer nobody went on with, all ways it was told in, and the prompts with which somebody did go on from it. */
function abandonedAnswer<Value>(
  tree: Tree<Value>,
  first: ThreadNode<Value>,
): { steps: ThreadStep<Value>[]; prompts: ThreadNode<Value>[] } {
  const steps: ThreadStep<Value>[] = []
  const prompts: ThreadNode<Value>[] = []
  const stack = [first]
  for (let node = stack.pop(); node; node = stack.pop()) {
    steps.push({ node, branch: 'answer' })
    for (const child of [...childrenOf(tree, node)].reverse()) (child.isPrompt ? prompts : stack).push(child)
  }
  return { steps, prompts: prompts.reverse() }
}

function turnsFrom<Value>(tree: Tree<Value>, prompts: readonly ThreadNode<Value>[]): ThreadStep<Value>[] {
  return prompts.flatMap((prompt) => thread(tree, [prompt], tree.newest.get(prompt) ?? prompt, 'turn'))
}
