/** A refusal of the server, a file that cannot be used, or a run that has failed. */
export class HeterosisError extends Error {
  /** Stable, for example `request/not-found`. */
  readonly code: string;
  /** HTTP status of a refusal. */
  readonly status: number | undefined;

  constructor(code: string, message: string, status?: number) {
    super(message);
    this.name = 'HeterosisError';
    this.code = code;
    this.status = status;
  }
}

const WAIT_SECONDS = 5;

/** Sends a request; waits where the server asks for it, and throws its refusal. */
export async function send(request: Request, signal?: AbortSignal): Promise<Response> {
  for (;;) {
    // A redirect is refused: the token must not follow it.
    const answer = await fetch(request.clone(), { redirect: 'manual', signal: signal ?? null });
    if (answer.ok) return answer;
    if (answer.status !== 429 && answer.status !== 503) throw await refusalOf(answer);
    await answer.body?.cancel();
    await sleep(1000 * (Number(answer.headers.get('retry-after')) || WAIT_SECONDS), signal);
  }
}

async function refusalOf(answer: Response): Promise<HeterosisError> {
  const said = await answer.json().catch(() => ({}));
  const { code, title, detail } = said as { code?: string; title?: string; detail?: string };
  const message = detail ?? title ?? `The server answered with ${answer.status}.`;
  return new HeterosisError(code ?? 'client/answer', message, answer.status);
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted === true) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

export const POLL_MS = 1_000;
