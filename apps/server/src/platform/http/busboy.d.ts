/** What `multipart.ts` uses of busboy; the package has no types. */
declare module 'busboy' {
  import type { IncomingHttpHeaders } from 'node:http';
  import type { Readable, Writable } from 'node:stream';

  interface BusboyEvents {
    field: [name: string, value: string, info: { valueTruncated: boolean; nameTruncated: boolean }];
    file: [name: string, stream: Readable, info: { filename: string; mimeType: string }];
    filesLimit: [];
    fieldsLimit: [];
    partsLimit: [];
    error: [error: unknown];
    close: [];
  }
  interface Busboy extends Writable {
    on<Event extends keyof BusboyEvents>(event: Event, listener: (...given: BusboyEvents[Event]) => void): this;
  }
  export default function busboy(options: {
    headers: IncomingHttpHeaders;
    defParamCharset?: string;
    limits?: { fields?: number; fieldSize?: number; files?: number; parts?: number };
  }): Busboy;
}
