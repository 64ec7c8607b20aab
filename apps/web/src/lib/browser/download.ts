/** Hands the browser something made in this page as a file. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari still reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Hands on a file that the server made, under the name it proposes (RFC 6266). `onBytes` hears how much has come of a
 * long one.
 */
export async function downloadAnswer(
  answer: Response,
  otherwise: string,
  onBytes?: (bytes: number) => void,
): Promise<void> {
  const proposed = /filename\*=UTF-8''([^;]+)/i.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  const counted = onBytes === undefined || answer.body === null ? answer : new Response(counting(answer.body, onBytes));
  downloadBlob(proposed === undefined ? otherwise : decodeURIComponent(proposed), await counted.blob());
}

function counting(body: ReadableStream<Uint8Array>, onBytes: (bytes: number) => void): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
}

export function downloadText(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  downloadBlob(name, new Blob([text], { type }));
}
