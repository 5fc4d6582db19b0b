// Runs in the browser: Swagger UI with a filter over all words, links into the page, and streams that are shown as they
// come.

const preferred = matchMedia('(prefers-color-scheme: dark)');
const followColors = () => document.documentElement.classList.toggle('dark-mode', preferred.matches);
followColors();
preferred.addEventListener('change', followColors);

const ui = SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  filter: true,
  // The groups, in the order in which people work. Of 150 lines or more, Swagger UI keeps only those on the screen.
  docExpansion: 'none',
  plugins: [filterByWords, streamPlugin],
  onComplete: () => openLinked(location.hash),
});

addEventListener('hashchange', () => openLinked(location.hash));
// A link of the first steps may point to where the address is already; Swagger UI would open it in another tab.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="#/"]');
  if (link === null || link === undefined || link.closest('.opblock-tag') !== null) return;
  if (link.closest('.opblock-summary') !== null) return;
  event.preventDefault();
  history.pushState(null, '', link.hash);
  openLinked(link.hash);
});

/** Shows what an address names, as `#/Imports/importTransactions`. */
function openLinked(hash) {
  const [, group, operationId] = decodeURIComponent(hash).split('/');
  if (group === undefined || group === '') return;
  const name = group.replaceAll('_', ' ');
  ui.layoutActions.updateFilter('');
  ui.layoutActions.show(['operations-tag', name], true);
  if (operationId !== undefined) ui.layoutActions.show(['operations', name, operationId], true);
  const id = `operations-${operationId === undefined ? 'tag-' : ''}${[group, operationId].filter(Boolean).join('-')}`;
  requestAnimationFrame(() => document.getElementById(id.replaceAll(' ', '_'))?.scrollIntoView());
}

/** Every word of the filter stands in the group, path, summary or description of an operation. Groups with one open. */
function filterByWords() {
  const textOf = (operation, group) =>
    [group, operation.get('method'), operation.get('path'), operation.get('id')]
      .concat(['summary', 'description', 'operationId'].map((member) => operation.getIn(['operation', member], '')))
      .join(' ')
      .toLowerCase();
  const opsFilter = (groups, phrase) => {
    const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
    return groups
      .map((group, name) =>
        group.update('operations', (operations) =>
          operations.filter((operation) => words.every((word) => textOf(operation, name).includes(word))),
        ),
      )
      .filter((group) => group.get('operations').size > 0);
  };
  const updateFilter = (original, system) => (phrase) => {
    const result = original(phrase);
    const isAsked = typeof phrase === 'string' && phrase.trim() !== '';
    for (const group of system.specSelectors.taggedOperations().keySeq()) {
      system.layoutActions.show(['operations-tag', group], isAsked);
    }
    return result;
  };
  return { fn: { opsFilter }, statePlugins: { layout: { wrapActions: { updateFilter } } } };
}

/** Swagger UI waits for the end of an answer; a stream has none for long. Its events are shown as they come. */
function streamPlugin() {
  const executeRequest = (original, system) => (request) => {
    const described = request.operation?.toJS?.() ?? {};
    const types = Object.values(described.responses ?? {}).flatMap((answer) => Object.keys(answer.content ?? {}));
    const isStream = request.method === 'get' && types.includes('text/event-stream');
    return isStream ? follow(system, { ...request, operationId: described.operationId }) : original(request);
  };
  const follow = async ({ specActions, fn }, request) => {
    const { pathName, method } = request;
    open.get(pathName)?.abort();
    const stop = new AbortController();
    open.set(pathName, stop);
    const { url } = fn.buildRequest({ ...request, contextUrl: location.href });
    const headers = { accept: 'text/event-stream' };
    specActions.setRequest(pathName, method, { url, method: 'GET', headers });
    specActions.setMutatedRequest(pathName, method, { url, method: 'GET', headers });
    const began = performance.now();
    const answer = await fetch(url, { headers, signal: stop.signal });
    let text = '';
    const show = () =>
      specActions.setResponse(pathName, method, {
        url,
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text,
        data: text,
        duration: Math.round(performance.now() - began),
      });
    show();
    try {
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        show();
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  };
  const clearResponse = (original) => (pathName, method) => {
    open.get(pathName)?.abort();
    return original(pathName, method);
  };
  const open = new Map();
  return { statePlugins: { spec: { wrapActions: { executeRequest, clearResponse } } } };
}
