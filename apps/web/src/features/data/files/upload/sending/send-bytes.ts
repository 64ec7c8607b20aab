import { networkProblem, Problem } from '../../../../../lib/api/problem.ts';

/** A line that carries nothing for so long is taken for broken, whatever the browser thinks of it. */
const STALLED_MS = 60_000;

interface SendOptions {
  contentType: string;
  signal: AbortSignal;
  /** Bytes of the body sent so far. */
  onProgress: (sent: number) => void;
}

/** PUT to a signed address. `fetch` does not tell how much was sent; XMLHttpRequest does. */
export function putBytes(url: string, body: Blob | ArrayBuffer, options: SendOptions): Promise<void> {
  const { contentType, signal, onProgress } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    let isStalled = false;
    let timer = 0;
    const expectLife = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        isStalled = true;
        request.abort();
      }, STALLED_MS);
    };
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.upload.addEventListener('progress', (event) => {
      expectLife();
      onProgress(event.loaded);
    });
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(problemOf(request));
    });
    request.addEventListener('error', () => reject(networkProblem(new Error('The upload was cut off'))));
    request.addEventListener('abort', () =>
      reject(isStalled ? networkProblem(new Error('The line carried nothing any more')) : signal.reason),
    );
    request.addEventListener('loadend', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    });
    signal.addEventListener('abort', abort);
    expectLife();
    request.send(body);
  });
}

function problemOf(request: XMLHttpRequest): Problem {
  try {
    return new Problem(JSON.parse(request.responseText) as ConstructorParameters<typeof Problem>[0]);
  } catch {
    // An object store answers in XML; its status has to do.
    return new Problem({
      code: request.status === 403 ? 'files/upload-expired' : 'files/upload-incomplete',
      status: request.status,
      title: 'The upload was refused',
      detail: `The storage answered ${request.status}. Try the upload again.`,
    });
  }
}
