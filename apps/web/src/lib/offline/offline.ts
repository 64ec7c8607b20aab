// The page's side of `public/offline-worker.js`, which opens pages without a connection (decision 48).

const WORKER = '/offline-worker.js';
const OWN = /^heterosis-(?:files|answers) /;
/** Files of the application: what is loaded from elsewhere is not kept. */
const FILE = /^\/(?:assets|locales)\//;

const workers = (): ServiceWorkerContainer | undefined =>
  'serviceWorker' in navigator ? navigator.serviceWorker : undefined;

/** Whether what the server cannot answer is answered by what this browser keeps. */
export const worksOffline = (): boolean => workers()?.controller != null;

/** What came of the wish to keep a page. */
export interface Kept {
  isKept: boolean;
  /** The worker was not there when this page asked for what it shows: it must ask again for the answers to be kept. */
  isNew: boolean;
}

/**
 * Keeps the application as this page has loaded it, so that it opens without a connection. Rejects where browsers have
 * no such workers: on plain http of another machine, and in some private windows.
 */
export async function keepPage(): Promise<Kept> {
  const container = workers();
  const build = new URL(document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '').pathname;
  if (!container) throw new Error('This browser keeps no pages');
  const isNew = container.controller === null;
  const controlled = new Promise<void>((resolve) => {
    if (!isNew) resolve();
    container.addEventListener('controllerchange', () => resolve(), { once: true });
  });
  await container.register(WORKER);
  await controlled;
  const { active } = await container.ready;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<boolean>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<{ isKept: boolean }>) => resolve(data.isKept));
    port1.start();
  });
  active?.postMessage({ build, files: loadedFiles() }, [port2]);
  return { isKept: await answered, isNew };
}

/** Deletes all that is kept, and ends the worker: another person may use this browser next. */
export async function forgetKept(): Promise<void> {
  const registration = await workers()?.getRegistration('/');
  await registration?.unregister();
  if (!('caches' in window)) return;
  for (const name of await caches.keys()) if (OWN.test(name)) await caches.delete(name);
}

/** The files that this page has been made of so far. */
function loadedFiles(): string[] {
  const linked = [...document.querySelectorAll<HTMLLinkElement>('link[href]')].map(({ href }) => href);
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src);
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const paths = [...linked, ...scripts, ...loaded].flatMap((address) => {
    const { origin, pathname } = new URL(address);
    return origin === location.origin && FILE.test(pathname) ? [pathname] : [];
  });
  return [...new Set(paths)];
}
