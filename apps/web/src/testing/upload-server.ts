import type { FileDetail } from '@heterosis/contracts/data/files';
import { type Answer, json, listPage, refusal, type SentRequest } from './browser.ts';

const AT = '2026-05-04T10:00:00.000Z';
const ID = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const PROJECT: string = ID(1);

interface Begun {
  body: { name: string; size_bytes: number; folder_id: string | null; file_type: string | null; fingerprint?: string };
  /** Numbers of the parts that have arrived. */
  parts: Set<number>;
}

/** The part of the API that uploads use, with files and unfinished uploads as the server keeps them. */
export class UploadServer {
  readonly files: { id: string; name: string; body: Record<string, unknown> }[] = [];
  readonly begun = new Map<string, Begun>();
  readonly deleted: string[] = [];
  partBytes = 0;
  #next = 10;

  /** Names that another file has already. */
  taken = new Set<string>();

  handle = ({ method, url, body }: SentRequest): Answer => {
    const path = url.replace(`/api/projects/${PROJECT}`, '').split('?')[0] ?? '';
    const sent = body as Record<string, unknown>;
    if (method === 'POST' && path === '/files/upload_link') return this.#begin(sent as unknown as Begun['body']);
    if (method === 'POST' && path === '/files') return this.#create(sent);
    if (method === 'GET' && path === '/uploads') return listPage([...this.begun].map(([id]) => this.#upload(id)));
    const [, kind, id = '', parts] = path.split('/');
    if (kind === 'uploads' && method === 'POST' && parts === 'parts') return this.#links(id, sent.numbers as number[]);
    if (kind === 'uploads' && method === 'GET') return this.begun.has(id) ? json(this.#detail(id)) : refusal(404, 'x');
    if (kind === 'uploads' && method === 'DELETE') return this.#remove(id);
    if (kind === 'files' && method === 'DELETE') {
      this.deleted.push(id);
      return new Response(null, { status: 204 });
    }
    return refusal(404, 'common/not-found');
  };

  /** A part or a whole file has arrived under its signed address. */
  receive(address: string): void {
    const [, id = '', part] = /^\/put\/([^/]+)(?:\/(\d+))?$/.exec(address) ?? [];
    this.begun.get(id)?.parts.add(Number(part ?? 1));
  }

  /** An upload that broke off earlier. */
  addBegun(body: Begun['body'], parts: number[]): string {
    const id = ID(this.#next++);
    this.begun.set(id, { body, parts: new Set(parts) });
    return id;
  }

  #begin(body: Begun['body']): Response {
    const id = this.addBegun(body, []);
    return json({ file_id: id, put_url: `/put/${id}` });
  }

  #create(body: Record<string, unknown>): Response {
    const name = String(body.name);
    if (this.taken.has(name)) return refusal(409, 'common/name-taken');
    const id = String(body.file_id);
    if (!this.begun.delete(id)) return refusal(404, 'common/not-found');
    this.files.push({ id, name, body });
    return json(
      {
        id,
        name,
        project_id: PROJECT,
        folder_id: null,
        file_type: null,
        status: 'UPLOADED',
        size_bytes: 1,
        row_count: null,
        column_count: null,
        ploidy: null,
        ploidies: null,
        genotype_field: null,
        samples_of_ploidy: null,
        created_by: null,
        created_by_id: null,
        created_at: AT,
        updated_at: AT,
        path: [],
        description: null,
        meta: {
          traits: [],
          covariates: [],
          groups: [],
          codes: [],
          file_url: null,
          samples_url: null,
          contigs_url: null,
          linkmaptemp_url: null,
          snpids_url: null,
          marker_qc_url: null,
          sample_qc_url: null,
          qc_url: null,
        },
        format: null,
        sha256: null,
        content_type: null,
        problem_totals: { errors: 0, warnings: 0, infos: 0 },
        numeric_coding: null,
        mapping: null,
        missing_codes: [],
        measured_values: [],
        left_out: null,
        dates: null,
        has_first_rows: false,
        fractional_dosages: null,
        covariance: null,
        progress: null,
        versions: null,
        derivations: [],
        // A field that the contract gains has to be given here too.
      } satisfies FileDetail,
      201,
    );
  }

  #remove(id: string): Response {
    if (!this.begun.delete(id)) return refusal(404, 'common/not-found');
    this.deleted.push(id);
    return new Response(null, { status: 204 });
  }

  #links(id: string, numbers: number[]): Response {
    const data = numbers.map((number) => ({
      number,
      size_bytes: this.#sizeOf(id, number),
      put_url: `/put/${id}/${number}`,
    }));
    return json({ data });
  }

  #sizeOf(id: string, number: number): number {
    const size = this.begun.get(id)?.body.size_bytes ?? 0;
    return Math.min(this.partBytes, size - (number - 1) * this.partBytes);
  }

  #upload(id: string) {
    const { body, parts } = this.begun.get(id) as Begun;
    return {
      id,
      name: body.name,
      folder_id: null,
      file_type: null,
      size_bytes: body.size_bytes,
      part_bytes: this.partBytes,
      received_bytes: [...parts].reduce((sum, number) => sum + this.#sizeOf(id, number), 0),
      fingerprint: body.fingerprint ?? null,
      replaces: null,
      created_at: AT,
      expires_at: AT,
    };
  }

  #detail(id: string) {
    const parts = [...(this.begun.get(id)?.parts ?? [])];
    return { ...this.#upload(id), parts: parts.map((number) => ({ number, size_bytes: this.#sizeOf(id, number) })) };
  }
}
