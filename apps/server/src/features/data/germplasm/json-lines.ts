import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Characters that are passed to the file at a time. */
const BLOCK = 65_536;

/** Writes values to a file, one a line, in which the worker and its compute child pass on what is too large to hold. */
export async function writeJsonLines(path: string, values: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  await pipeline(Readable.from(blocks(values)), createWriteStream(path));
}

async function* blocks(values: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let block = '';
  for await (const value of values) {
    block += `${JSON.stringify(value)}\n`;
    if (block.length < BLOCK) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

async function* readJsonLines<Value>(path: string): AsyncGenerator<Value> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line) as Value;
}

/** The values of {@link writeJsonLines}. */
export async function readAllLines<Value>(path: string): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of readJsonLines<Value>(path)) all.push(value);
  return all;
}

/** The same, some at a time. */
export async function* readJsonChunks<Value>(path: string, most: number): AsyncGenerator<Value[]> {
  let chunk: Value[] = [];
  for await (const value of readJsonLines<Value>(path)) {
    chunk.push(value);
    if (chunk.length < most) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
