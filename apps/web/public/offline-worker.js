// Opens pages of trials without a connection that have been opened with one (decision 48). It keeps the files of the
// application that such a page has loaded, by build, and what the server last answered about trials, by person. With a
// connection everything comes from the server; files with a hash in their names never change and come from here.

const FILES = 'heterosis-files ';
const ANSWERS = 'heterosis-answers ';

/** What the page of a trial asks for, and the frame around it. */
const ASKED =
  /^\/api\/(?:config|users\/me|organizations|projects(?:\/[\w-]+(?:\/(?:overview|traits|trials\/[\w-]+(?:\/(?:plots|observations|conflicts|completeness|suspect_plots))?))?)?)$/;
/** Pages that are none of the application. */
const OF_SERVER = /^\/(?:api|storage|brapi|dev|metrics|healthz|\.well-known)(?:\/|$)/;
/** Most answers that are kept of a person; the oldest go first. */
const MOST_ANSWERS = 500;
/** So long a connection that is hardly one is waited for, where something is kept. */
const PATIENCE_MS = 8_000;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const answer = (isKept) => event.ports[0]?.postMessage({ isKept });
  event.waitUntil(keep(event.data).then(answer, () => answer(false)));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (!OF_SERVER.test(pathname)) event.respondWith(fetch(request).catch(orKept('/')));
  } else if (pathname.startsWith('/assets/'))
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
  else if (pathname.startsWith('/locales/')) event.respondWith(fetch(request).catch(orKept(pathname)));
  else if (ASKED.test(pathname)) {
    const person = personOf(request);
    if (person !== undefined) event.respondWith(answerTo(event, person));
  }
});

/** What is kept in place of what could not be fetched. */
const orKept = (path) => async (error) => {
  const kept = await caches.match(path);
  if (kept === undefined) throw error;
  return kept;
};

/** Who asks, by the token of the request: answers are kept for this person alone. */
function personOf(request) {
  const [, payload] = (request.headers.get('authorization') ?? '').split('.');
  if (payload === undefined) return undefined;
  try {
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).sub;
  } catch {
    // A token of another kind: nothing is kept.
    return undefined;
  }
}

async function answerTo(event, person) {
  const { request } = event;
  const cache = await caches.open(ANSWERS + person);
  const kept = await cache.match(request.url);
  const fresh = fetch(request).then((response) => {
    if (response.ok) event.waitUntil(keepAnswer(cache, request.url, response.clone()));
    return response;
  });
  if (kept === undefined) return await fresh;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, kept));
  return await Promise.race([fresh.catch(() => kept), late]);
}

async function keepAnswer(cache, url, response) {
  // Without what it varies by: the token is another one after an hour.
  const { status, statusText } = response;
  const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' };
  await cache.delete(url);
  await cache.put(url, new Response(await response.blob(), { status, statusText, headers }));
  const keys = await cache.keys();
  for (const oldest of keys.slice(0, -MOST_ANSWERS)) await cache.delete(oldest);
}

/**
 * Keeps the files that a page has loaded, and the page itself last: without it nothing is served. The page must be of
 * the build that asks, which is known by its first script; after an upgrade the next opening keeps the new one.
 */
async function keep({ build, files }) {
  const cache = await caches.open(FILES + build);
  for (const file of files) if ((await cache.match(file)) === undefined) await put(cache, file, await fetch(file));
  const page = await fetch('/', { cache: 'no-cache' });
  if (!(await page.clone().text()).includes(build)) return false;
  await put(cache, '/', page);
  for (const name of await caches.keys())
    if (name.startsWith(FILES) && name !== FILES + build) await caches.delete(name);
  return true;
}

async function put(cache, path, response) {
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  await cache.put(path, response);
}
