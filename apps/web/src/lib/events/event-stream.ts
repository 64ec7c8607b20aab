export interface StreamMessage {
  /** `message` unless the server names another. */
  event: string;
  data: string;
}

/** Splits the text of a `text/event-stream` into its messages. Comments (heartbeats) and settings give nothing. */
export class EventStreamParser {
  #buffer = '';

  push(chunk: string): StreamMessage[] {
    this.#buffer += chunk;
    const blocks = this.#buffer.split(/\r\n\r\n|\n\n|\r\r/);
    this.#buffer = blocks.pop() ?? '';
    return blocks.map(messageOf).filter((message) => message.data !== '');
  }
}

function messageOf(block: string): StreamMessage {
  const lines = block.split(/\r\n|\n|\r/);
  const valuesOf = (field: string): string[] =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  return { event: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') };
}
