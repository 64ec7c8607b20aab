import { randomUUID } from 'node:crypto';
import { type DecisionColumn, decisionSettings } from '@heterosis/contracts/work/decisions';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { insertDecision } from '../src/features/work/decisions/decisions.queries.ts';
import { until } from '../src/testing/product.ts';
import { startProject } from '../src/testing/start-project.ts';

// What people write anywhere appears harmless in every table, document and mail that the product hands out.

const FORMULA = "=cmd|'/c calc'!A1";
const SCRIPT = '<script>alert(1)</script>';
const HOSTILE = [
  FORMULA,
  SCRIPT,
  '@SUM(1+1)*cmd',
  '+1+cmd',
  '-2+cmd',
  '＝1+1',
  '=HYPERLINK("http://evil.example","x")',
];
const nth = (k: number): string => HOSTILE[k % HOSTILE.length] ?? FORMULA;

const { product, owner, project } = await startProject();
const at: Record<'decision' | 'trial' | 'file', string> = { decision: '', trial: '', file: '' };

beforeAll(async () => {
  const { db } = product.services;
  const { projectId } = project;
  const lines = HOSTILE.map((text, k) => `${text} ${k + 1}`);
  await sql`update users set name = ${FORMULA} where id = ${owner.userId}`.execute(db);
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name, collection, attributes)
    select gen_random_uuid(), organization_id, crop_id, line, folded, ${SCRIPT},
      jsonb_build_object(${FORMULA}::text, ${'@SUM(1+1)*cmd'}::text)
    from projects, unnest(${lines}::text[], ${lines.map(foldName)}::text[]) as given(line, folded)
    where projects.id = ${projectId}
  `.execute(db);
  await owner.call('PUT', `${project.address}/traits`, {
    traits: [{ name: FORMULA, direction: 'higher', unit: '@SUM(1)', weight: 1, scale: { kind: 'text' } }],
  });
  const plots = lines.map((_, k) => k + 1);
  const trial = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: FORMULA, season: '2026', entries: lines, traits: [FORMULA], description: SCRIPT },
    places: [
      {
        location_name: '@Kiel',
        layout: {
          ...{ number: plots, row: plots, column: plots.map(() => 1), replicate: plots.map(() => 1) },
          ...{ block: plots.map(() => null), entry: plots.map((p) => p - 1), kind: plots.map(() => 'ENTRY') },
        },
      },
    ],
  });
  expect(trial.status, trial.text).toBe(201);
  at.trial = `${project.address}/trials/${trial.body.data[0].id}`;
  expect((await owner.call('PUT', at.trial, { state: 'SOWN' })).status).toBe(200);
  const observations = plots.map((plot) => ({
    ...{ id: randomUUID(), plot, trait: FORMULA, value: nth(plot), observed_at: '2026-08-01T10:00:00.000Z' },
    note: nth(plot + 1),
  }));
  const seen = await owner.call('POST', `${at.trial}/observations`, { observations });
  expect(seen.status, seen.text).toBe(200);
  await owner.call('POST', `${at.trial}/observations/set_aside`, {
    observations: [observations[0]?.id],
    reason: FORMULA,
  });
  const list = await owner.call('POST', `${project.address}/lists`, {
    ...{ name: FORMULA, kind: 'germplasm', description: SCRIPT, members: lines },
  });
  expect(list.status, list.text).toBe(201);
  const column: DecisionColumn = {
    ...{
      trait: FORMULA,
      unit: '@SUM(1)',
      kind: 'trial_analysis',
      what: SCRIPT,
      run_id: randomUUID(),
      run_name: FORMULA,
    },
    ...{ run_at: '2026-09-01T00:00:00.000Z', sha256: '0'.repeat(64), is_higher_better: true, in_index: true },
    ...{ has_error_covariance: false, weight: 1, gain: 0 },
  };
  const id = await insertDecision(
    db,
    {
      ...{ projectId, createdBy: owner.userId, name: FORMULA, description: SCRIPT, columns: [column] },
      ...{ source: { kind: 'list', id: list.body.id, name: FORMULA }, relationships: null, error_covariances: null },
      settings: decisionSettings.parse({ stages: { ADVANCE: '=stage', HOLD: '@stage', DROP: SCRIPT } }),
      computed: {
        ...{ index: lines.map((_, k) => k), beatsCheck: [], beatsEvery: [], beatsEveryError: 0 },
        ...{ amongBest: [], notes: [FORMULA] },
      },
    },
    lines.map((name, k) => ({
      ...{ name, germplasm_id: null, family: `${nth(k + 1)} × B`, values: [k], ses: [null], reliabilities: [null] },
    })),
  );
  at.decision = `${project.address}/decisions/${id}`;
  const marks = lines.map((_, k) => ({
    ...{ id: randomUUID(), line: k + 1, mark: 'ADVANCE', reason: nth(k), marked_at: '2026-09-02T08:00:00Z' },
  }));
  const marked = await owner.call('POST', `${at.decision}/marks`, { marks, version: 1 });
  expect(marked.status, marked.text).toBe(200);
  const [first] = marks;
  const settled = await owner.call('POST', `${at.decision}/marks`, {
    ...{ marks: [{ ...first, id: randomUUID(), reason: '@SUM(1+1)*cmd' }], version: 1, settles: true },
  });
  expect(settled.status, settled.text).toBe(200);
  const closed = await owner.call('POST', `${at.decision}/close`, { version: 1, list_name: `${FORMULA} 2` });
  expect(closed.status, closed.text).toBe(200);
  const other = await product.person('other');
  await product.join(project, other, 'MEMBER');
  const said = await owner.call('POST', `${project.address}/comments`, {
    ...{ entity_kind: 'decision', entity_id: id, text: `${FORMULA}\n${SCRIPT} @other@example.org` },
    mentions: [other.userId],
  });
  expect(said.status, said.text).toBe(201);
}, 60_000);

const read = (url: string, accept = '*/*') =>
  product.app.inject({
    url: /^\/(?:api|brapi)\//.test(url) ? url : `/api${url}`,
    headers: { authorization: `Bearer ${owner.token}`, accept },
  });

/** The cells of a text, read as spreadsheets do. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let k = 0; k < text.length; k++) {
    const one = text[k];
    if (isQuoted) {
      if (one !== '"') cell += one;
      else if (text[k + 1] === '"') cell += text[++k];
      else isQuoted = false;
    } else if (one === '"' && cell === '') isQuoted = true;
    else if (one === separator || one === '\n') {
      cells.push(cell.replace(/\r$/, ''));
      cell = '';
    } else cell += one;
  }
  return [...cells, cell];
}

const runs = (cell: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(cell) && Number.isNaN(Number(cell));

const TABLES: readonly (readonly [string, () => string])[] = [
  ['minutes', () => `${at.decision}/minutes`],
  ['germplasm', () => `${project.address}/germplasms/export?format=csv`],
  ['germplasm as passport descriptors', () => `${project.address}/germplasms/export?format=mcpd`],
  ['germplasm of the organization', () => `/organizations/${project.organizationId}/germplasms/export?format=csv`],
  ['field book', () => `${at.trial}/field-book?format=csv`],
  ['traits', () => `${project.address}/traits.trt`],
  ['audit of the project', () => `${project.address}/audit.csv`],
  ['audit of the organization', () => `/organizations/${project.organizationId}/audit.csv`],
];

test.each(TABLES)('no cell of a table runs as a formula: %s', async (_, url) => {
  const answer = await read(url());
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  expect(answer.headers['content-disposition']).toMatch(/^attachment/);
  const separator = String(answer.headers['content-type']).includes('tab-separated') ? '\t' : ',';
  const cells = cellsOf(answer.body, separator);
  expect(cells.filter(runs)).toEqual([]);
  expect(cells.some((cell) => /^'+[=@]/.test(cell))).toBe(true);
});

test.each([['text/csv', ','] as const, ['text/tsv', '\t'] as const])(
  'nor of the table that BrAPI clients read as %s',
  async (type, separator) => {
    const trialId = at.trial.split('/').at(-1);
    const answer = await read(`/brapi/v2/observations/table?studyDbId=${trialId}`, type);
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
    const cells = cellsOf(answer.body, separator);
    expect(cells.filter(runs)).toEqual([]);
    expect(cells.some((cell) => /^'+[=@]/.test(cell))).toBe(true);
  },
);

test('values of a trial that are frozen as a file are guarded there', async () => {
  const frozen = await owner.call('POST', `${at.trial}/freeze`, {});
  expect(frozen.status, frozen.text).toBe(201);
  const { storage } = product.services;
  const key = await until(
    async () =>
      (
        await sql<{ key: string }>`select storage_key as key from files where id = ${frozen.body.id}`.execute(
          product.services.db,
        )
      ).rows[0]?.key,
    (found) => found !== undefined,
  );
  const source = await storage.open(key ?? '');
  const cells = cellsOf(Buffer.from(await source.read(0, source.size)).toString(), ',');
  await source.close();
  expect(cells.filter(runs)).toEqual([]);
  expect(cells.some((cell) => /^'+[=@]/.test(cell))).toBe(true);
});

test.each([
  ['minutes', () => `${at.decision}/report`],
  ['field book', () => `${at.trial}/field-book?format=pdf`],
  ['labels', () => `${at.trial}/labels`],
] as const)('a document has no action, script or foreign link: %s', async (_, url) => {
  const answer = await read(url());
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  expect(answer.rawPayload.toString('latin1')).not.toMatch(/\/(?:JavaScript|JS|AA|OpenAction|Launch|SubmitForm)\b/);
  expect(answer.rawPayload.toString('latin1')).not.toContain('evil.example');
});

test('answers are JSON that no browser takes for a page, and mails are plain text', async () => {
  for (const url of ['', '/lines', '/marks'].map((end) => `${at.decision}${end}`)) {
    const answer = await read(url);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  }
  const mails = await until(
    () => product.services.db.selectFrom('mail_outbox').selectAll().where('subject', 'like', '%comment%').execute(),
    (all) => all.length > 0,
  );
  for (const mail of mails) {
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.text).toContain(SCRIPT);
    expect(Object.keys(mail)).not.toContain('html');
  }
});
