/** Splits the text of a `text/event-stream` into the data of its messages. Comments (heartbeats) give nothing. */
export class EventStreamParser {
  #buffer = '';

  push(chunk: string): string[] {
    this.#buffer += chunk;
    const blocks = this.#buffer.split(/\r\n\r\n|\n\n|\r\r/);
    this.#buffer = blocks.pop() ?? '';
    return blocks.map(dataOf).filter((data) => data !== '');
  }
}

function dataOf(block: string): string {
  return block
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');
}
