import { inflateSync } from 'node:zlib';

/** The drawing instructions of each page of a PDF of ours, in their order. */
export function pagesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1');
  const objects = new Map(
    [...text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, number, body]) => [Number(number), body ?? '']),
  );
  const kids = [...objects.values()].find((body) => /\/Type \/Pages\b/.test(body));
  const order = [...(/\/Kids \[([^\]]*)\]/.exec(kids ?? '')?.[1] ?? '').matchAll(/(\d+) 0 R/g)];
  return order.map(([, page]) => {
    const contents = Number(/\/Contents (\d+) 0 R/.exec(objects.get(Number(page)) ?? '')?.[1]);
    const [, stream = ''] = /stream\n([\s\S]*?)\nendstream/.exec(objects.get(contents) ?? '') ?? [];
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
  });
}

/** The size of the first page in points. */
export function pageSize(bytes: Uint8Array): [number, number] {
  const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(Buffer.from(bytes).toString('latin1'));
  return [Number(box?.[1]), Number(box?.[2])];
}
