/** The page: three views (start, search, session) over the JSON routes. Recorded text only ever becomes text nodes. */

const view = document.getElementById('view')
const queryInput = document.getElementById('query')
const withTools = document.getElementById('with-tools')

const RECENT_DAYS = 30
const PAGE_SIZE = 25
const PROSE = ['user_input', 'assistant_response']
const KINDS = {
  user_input: 'prompt',
  assistant_response: 'answer',
  reasoning: 'reasoning',
  tool_call: 'tool call',
  tool_response: 'tool output',
  compaction: 'compaction',
  system: 'system',
  runtime: 'runtime',
  unknown: 'unknown',
}

/** An element with a class, attributes and children; strings become text. */
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children.filter((child) => child !== undefined && child !== ''))
  return node
}

async function request(path, body) {
  const response = await fetch(
    path,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  )
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error?.message ?? `the server answered ${response.status}`)
  return answer
}

const post = async (path, body) => (await request(path, body)).data

function when(timestamp) {
  if (!timestamp) return ''
  const date = new Date(timestamp)
  const sameYear = date.getFullYear() === new Date().getFullYear()
  return date.toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    ...(!sameYear && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  })
}

const count = (number, one, many = `${one}s`) => `${number.toLocaleString()} ${number === 1 ? one : many}`
const label = (session) => session.display_label || session.title || 'Untitled session'
const sessionLink = (id) => `#/session/${encodeURIComponent(id)}`
const meta = (...parts) =>
  element(
    'span',
    { class: 'meta' },
    ...parts.filter(Boolean).map((part) => (part instanceof Node ? part : element('span', {}, part))),
  )
const list = (items) => element('ol', { class: 'layers' }, ...items.map((item) => element('li', {}, item)))

/** The words of a query marked where they occur in a text. */
function marked(text, query) {
  const words = query.match(/[\p{L}\p{N}_]{2,}/gu)
  if (!words) return [text]
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu')
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? element('mark', {}, part) : part))
}

/** A button that loads more into its place. */
function moreButton(text, load) {
  const button = element('button', { class: 'quiet more', type: 'button' }, text)
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      button.replaceWith(...(await load()))
    } catch (error) {
      button.replaceWith(failure(error))
    }
  })
  return button
}

const failure = (error) => element('p', { class: 'note bad', role: 'alert' }, error.message)

// Start

function sessionRow({ id, session }) {
  return element(
    'a',
    { class: 'row', href: sessionLink(id) },
    element('strong', {}, label(session)),
    meta(
      when(session.updated_at),
      session.harness,
      session.turn_count !== undefined && count(session.turn_count, 'turn'),
      !session.completed && 'not completed',
    ),
  )
}

async function recentSessions() {
  const now = Date.now()
  const data = await post('/api/sessions', {
    start_datetime: new Date(now - RECENT_DAYS * 86_400_000).toISOString(),
    end_datetime: new Date(now + 86_400_000).toISOString(),
    limit: PAGE_SIZE,
  })
  const title = element('h2', {}, 'Recent sessions')
  if (data.sessions.length > 0) return [title, list(data.sessions.map(sessionRow))]
  const empty = `No session in the last ${RECENT_DAYS} days. Older ones are found by searching.`
  return [title, element('p', { class: 'note' }, empty)]
}

/** The plain values of the status, and how much came from each source. */
function statusLines({ sources = [], coverage, ...status }) {
  const plain = Object.entries(status).filter(([, value]) => ['string', 'number'].includes(typeof value))
  const bySource = sources
    .filter(({ sessions }) => sessions > 0)
    .map(({ source, sessions }) => [source, count(sessions, 'session')])
  const rows = [...plain, ...bySource].flatMap(([key, value]) => [
    element('dt', {}, key.replaceAll('_', ' ')),
    element('dd', {}, typeof value === 'number' ? value.toLocaleString() : key.endsWith('_at') ? when(value) : value),
  ])
  const complete = coverage === undefined || coverage.state === 'complete'
  const note = complete ? [] : [element('p', { class: 'note' }, `${coverage.state}: ${coverage.reason}`)]
  return [element('h2', {}, 'Archive'), element('dl', {}, ...rows), ...note]
}

function connectLines() {
  const url = `${location.origin}/mcp`
  const entry = {
    mcpServers: { varve: { type: 'http', url, headers: { Authorization: 'Bearer TOKEN' } } },
  }
  return [
    element('h2', {}, 'Connect an agent'),
    element('p', { class: 'note' }, 'Started by the client itself:'),
    element('pre', { class: 'code' }, 'claude mcp add varve -- varve mcp\ncodex mcp add varve -- varve mcp'),
    element('p', { class: 'note' }, 'Over HTTP, with the token from VARVE_HOME/token:'),
    element('pre', { class: 'code' }, JSON.stringify(entry, undefined, 2)),
  ]
}

async function showStart() {
  const [status, sessions] = await Promise.all([
    request('/api/status'),
    recentSessions().catch((error) => [failure(error)]),
  ])
  return [
    element(
      'div',
      { class: 'columns' },
      element('div', {}, ...sessions),
      element('div', {}, ...statusLines(status), ...connectLines()),
    ),
  ]
}

// Search

function hitRow(hit, query) {
  return element(
    'a',
    { class: 'row', href: `${sessionLink(hit.session.id)}/${encodeURIComponent(hit.turn.id)}` },
    element('strong', {}, label(hit.session)),
    meta(
      element('span', { class: 'kind' }, KINDS[hit.event.type] ?? hit.event.type),
      when(hit.event.timestamp),
      hit.session.harness,
      `turn ${hit.turn.ordinal}`,
    ),
    element('blockquote', {}, ...marked(hit.snippet.text, query)),
  )
}

async function showSearch(query) {
  const data = await post('/api/search', {
    query,
    n_hits: 50,
    ...(withTools.checked && { event_types: [...PROSE, 'tool_call', 'tool_response'] }),
  })
  const coverage =
    data.coverage?.state === 'complete' ? '' : ` The archive may be incomplete: ${data.coverage?.reason ?? 'unknown'}.`
  const found = `${count(data.result_count, 'hit')}${data.truncated ? ', and there are more' : ''}.`
  const nothing = 'Nothing found. Try fewer or other words, or search commands and their output too.'
  return [
    element('p', { class: 'note' }, (data.result_count === 0 ? nothing : found) + coverage),
    ...(data.result_count === 0 ? [] : [list(data.results.map((hit) => hitRow(hit, query)))]),
  ]
}

// Session

function eventBlock(event) {
  const text = element('pre', {}, event.summary)
  const block = element(
    'div',
    { class: `event ${event.type}` },
    meta(
      element('span', { class: 'kind' }, KINDS[event.type] ?? event.type),
      event.tool_name,
      event.model,
      when(event.timestamp),
    ),
    text,
  )
  if (event.truncated) {
    block.append(
      moreButton('Show in full', async () => {
        const data = await post('/api/open', { id: event.id })
        text.textContent = data.content.text
        return []
      }),
    )
  }
  return block
}

async function eventPage(args) {
  const data = await post('/api/open', args)
  const blocks = data.events.map(eventBlock)
  return data.next_cursor
    ? [...blocks, moreButton('Show more events', () => eventPage({ cursor: data.next_cursor }))]
    : blocks
}

function turnBlock(turn, opened) {
  const events = element('div', { class: 'events' })
  const block = element(
    'details',
    {},
    element(
      'summary',
      { class: 'row' },
      element('strong', {}, turn.user_input?.text ?? `Turn ${turn.ordinal}`),
      meta(
        `turn ${turn.ordinal}`,
        when(turn.started_at),
        count(turn.event_count, 'event'),
        !turn.completed && 'not completed',
        turn.tools_called.join(', '),
      ),
      turn.final_response ? element('blockquote', { class: 'meta' }, turn.final_response.text) : undefined,
    ),
    events,
  )
  block.addEventListener(
    'toggle',
    async () => {
      try {
        events.replaceChildren(...(await eventPage({ id: turn.id, limit: PAGE_SIZE })))
        if (turn.id === opened) block.scrollIntoView({ block: 'start' })
      } catch (error) {
        events.replaceChildren(failure(error))
      }
    },
    { once: true },
  )
  block.open = turn.id === opened
  return block
}

async function turnPage(args, opened) {
  const data = await post('/api/open', args)
  const blocks = [list(data.turns.map((turn) => turnBlock(turn, opened)))]
  if (data.next_cursor)
    blocks.push(moreButton('Show more turns', async () => (await turnPage({ cursor: data.next_cursor }, opened)).nodes))
  return { session: data.session, nodes: blocks }
}

async function showSession(id, opened) {
  const { session, nodes } = await turnPage({ id, limit: PAGE_SIZE }, opened)
  return [
    element('h1', {}, label(session)),
    meta(
      session.harness ?? session.source,
      when(session.started_at),
      count(session.turn_count, 'turn'),
      count(session.event_count, 'event'),
    ),
    element('h2', {}, 'Turns'),
    ...nodes,
  ]
}

// Routing: #/, #/search/QUERY, #/session/ID, #/session/ID/TURN

let shownRoute = 0

async function route() {
  const turn = ++shownRoute
  const [name, ...rest] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent)
  if (name === 'search') queryInput.value = rest[0] ?? ''
  let nodes
  try {
    if (name === 'search' && rest[0]) nodes = await showSearch(rest[0])
    else if (name === 'session' && rest[0]) nodes = await showSession(rest[0], rest[1])
    else nodes = await showStart()
  } catch (error) {
    nodes = [failure(error)]
  }
  // A slower answer to an earlier click must not replace the newer one.
  if (turn !== shownRoute) return
  view.replaceChildren(...nodes)
}

async function pulse() {
  const line = document.getElementById('pulse')
  try {
    const { version } = await request('/api/status')
    line.className = 'good'
    line.textContent = version ? `running, version ${version}` : 'running'
  } catch (error) {
    line.className = 'bad'
    line.textContent = error.message
  }
}

function search() {
  const query = queryInput.value.trim()
  const target = query ? `#/search/${encodeURIComponent(query)}` : '#/'
  if (location.hash === target) route()
  else location.hash = target
}

document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault()
  search()
})
withTools.addEventListener('change', search)
addEventListener('hashchange', route)
pulse()
route()
