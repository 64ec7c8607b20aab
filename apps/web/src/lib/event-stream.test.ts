import { expect, it } from 'vitest';
import { EventStreamParser } from './event-stream.ts';

it('puts messages together however the stream is cut', () => {
  const text = ': heartbeat\n\ndata: {"a":1}\n\nevent: x\ndata: one\ndata: two\n\ndata: unfinished';
  for (let size = 1; size <= text.length; size++) {
    const parser = new EventStreamParser();
    const messages: string[] = [];
    for (let start = 0; start < text.length; start += size)
      messages.push(...parser.push(text.slice(start, start + size)));
    expect(messages).toEqual(['{"a":1}', 'one\ntwo']);
  }
});

it('reads carriage returns as line ends', () => {
  expect(new EventStreamParser().push('data: a\r\n\r\ndata: b\r\n\r\n')).toEqual(['a', 'b']);
});
