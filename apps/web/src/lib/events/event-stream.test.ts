import { expect, it } from 'vitest';
import { EventStreamParser, type StreamMessage } from './event-stream.ts';

it('puts messages together however the stream is cut', () => {
  const text = 'retry: 2000\n\n: heartbeat\n\ndata: {"a":1}\n\nevent: x\ndata: one\ndata: two\n\ndata: unfinished';
  for (let size = 1; size <= text.length; size++) {
    const parser = new EventStreamParser();
    const messages: StreamMessage[] = [];
    for (let start = 0; start < text.length; start += size)
      messages.push(...parser.push(text.slice(start, start + size)));
    expect(messages).toEqual([
      { event: 'message', data: '{"a":1}' },
      { event: 'x', data: 'one\ntwo' },
    ]);
  }
});

it('reads carriage returns as line ends', () => {
  expect(new EventStreamParser().push('data: a\r\n\r\ndata: b\r\n\r\n')).toEqual([
    { event: 'message', data: 'a' },
    { event: 'message', data: 'b' },
  ]);
});
