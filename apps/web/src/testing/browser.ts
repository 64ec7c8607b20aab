import { vi } from 'vitest';

/** Stand-ins for what a browser has and Node has not. Install them before the module under test is imported. */

export class MemoryStorage implements Storage {
  readonly #values = new Map<string, string>();
  get length(): number {
    return this.#values.size;
  }
  clear = (): void => this.#values.clear();
  getItem = (key: string): string | null => this.#values.get(key) ?? null;
  key = (index: number): string | null => [...this.#values.keys()][index] ?? null;
  removeItem = (key: string): void => void this.#values.delete(key);
  setItem = (key: string, value: string): void => void this.#values.set(key, value);
}

export class FakeWindow extends EventTarget {
  readonly localStorage = new MemoryStorage();
  readonly sessionStorage = new MemoryStorage();
  // Looked up at each call, so that fake timers serve the window too.
  setTimeout = (run: () => void, milliseconds: number): unknown => setTimeout(run, milliseconds);
}

/** A channel to other tabs, of which there are none. Node's own would keep the test process alive. */
class LonelyChannel extends EventTarget {
  postMessage(): void {}
  close(): void {}
}

/** `window`, its storages and a channel without other tabs. */
export function installBrowser(): FakeWindow {
  const fake = new FakeWindow();
  vi.stubGlobal('window', fake);
  vi.stubGlobal('localStorage', fake.localStorage);
  vi.stubGlobal('sessionStorage', fake.sessionStorage);
  vi.stubGlobal('BroadcastChannel', LonelyChannel);
  return fake;
}

export interface SentRequest {
  method: string;
  /** With the query string, without the origin. */
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

export type Answer = Response | Error;

/**
 * Takes the place of `fetch`; an error stands for a server that was not reached. Returns the requests, oldest first.
 */
export function installServer(answer: (request: SentRequest) => Answer | Promise<Answer>): SentRequest[] {
  const requests: SentRequest[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const request: SentRequest = {
      method: init.method ?? 'GET',
      url,
      headers: (init.headers ?? {}) as Record<string, string>,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
    };
    requests.push(request);
    const answered = await answer(request);
    if (answered instanceof Error) throw answered;
    return answered;
  });
  return requests;
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** An answer as the API gives it for a request that it refuses. */
export const refusal = (status: number, code: string, more: object = {}): Response =>
  json({ code, status, title: 'Refused', detail: `Refused with ${code}`, ...more }, status);

/** A page of a list; `cursor` leads to the next one. */
export const listPage = (data: unknown[], cursor: string | null = null): Response =>
  json({ data, next_cursor: cursor });

/** What `fetch` throws without a connection. */
export const noConnection = (): Error => new TypeError('Failed to fetch');

interface PutAnswer {
  status: number;
  text?: string;
}

/**
 * Takes the place of `XMLHttpRequest`, which uploads use because it tells how much was sent. `answer` gets each PUT;
 * `'cut'` stands for a line that breaks off, `'silent'` for one that carries nothing any more.
 */
export function installUploadLine(
  answer: (put: { url: string; bytes: number }) => PutAnswer | 'cut' | 'silent' | Promise<PutAnswer | 'cut'>,
): { url: string; bytes: number }[] {
  const puts: { url: string; bytes: number }[] = [];
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    #url = '';
    #isOver = false;

    open(_method: string, url: string): void {
      this.#url = url;
    }

    setRequestHeader(): void {}

    send(body: Blob | ArrayBuffer): void {
      const bytes = body instanceof ArrayBuffer ? body.byteLength : body.size;
      puts.push({ url: this.#url, bytes });
      const answered = answer({ url: this.#url, bytes });
      if (answered === 'silent') return;
      void Promise.resolve(answered).then((put) => {
        if (this.#isOver) return;
        if (put === 'cut') return this.#end('error');
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: bytes }));
        this.status = put.status;
        this.responseText = put.text ?? '';
        this.#end('load');
      });
    }

    abort(): void {
      if (!this.#isOver) this.#end('abort');
    }

    #end(type: string): void {
      this.#isOver = true;
      this.dispatchEvent(new Event(type));
      this.dispatchEvent(new Event('loadend'));
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  return puts;
}
