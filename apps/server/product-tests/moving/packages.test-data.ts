import type { PackageImport } from '@heterosis/contracts/data/data-packages';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { openZip } from '@heterosis/file-formats/compression/zip-archive';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import { expect } from 'vitest';
import { type Person, type Product, type Project, put, until } from '../../src/testing/product.ts';

export async function unzipped(archive: Uint8Array): Promise<Record<string, Uint8Array>> {
  const zip = await openZip(memorySource(archive));
  const files: Record<string, Uint8Array> = {};
  for (const name of zip.names) files[name] = await whole(zip.stream(name, 1e8));
  return files;
}

export const zipped = (files: Record<string, Uint8Array>): Promise<Uint8Array> =>
  whole(zipChunks(Object.entries(files).map(([name, bytes]) => [name, memorySource(bytes).stream()] as const)));

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk.slice());
  return Buffer.concat(all);
}

export const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

export async function exported({ app }: Product, person: Person, address: string, query = ''): Promise<Uint8Array> {
  const answer = await app.inject({
    ...{ method: 'GET', url: `${address}/package${query}`, headers: { authorization: `Bearer ${person.token}` } },
  });
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
  return new Uint8Array(answer.rawPayload);
}

/** An empty project, by default one in which the crop has no lines yet, with a package on its way into it. */
export async function begin(
  product: Product,
  person: Person,
  bytes: Uint8Array,
  place?: Project,
): Promise<{ into: Project; id: string }> {
  const into = place ?? (await product.project(person));
  const link = await person.call('POST', `${into.address}/files/upload_link`, {
    ...{ content_type: 'application/zip', size_bytes: bytes.length },
  });
  expect(link.status, link.text).toBeLessThan(300);
  expect(await put(product.app, link.body.put_url, bytes, 'application/zip')).toBe(200);
  const started = await person.call('POST', `${into.address}/package_imports`, {
    ...{ upload_id: link.body.file_id, name: 'Season.zip' },
  });
  expect(started.status, started.text).toBe(201);
  return { into, id: started.body.id };
}

export const ended = (person: Person, { address }: Project, id: string): Promise<PackageImport> =>
  until(
    async () => (await person.call('GET', `${address}/package_imports/${id}`)).body,
    ({ finished_at }) => finished_at !== null,
  );

/** What people and analyses read, by its path, with its SHA-256: not the rows, which have other ids. */
export function hashesOf(files: Record<string, Uint8Array>): Record<string, string> {
  const manifest = textOf(files['manifest-sha256.txt']);
  return Object.fromEntries(
    manifest
      .split('\n')
      .filter((line) => line !== '' && !/ {2}(?:heterosis\/|ro-crate)/.test(line))
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
}
