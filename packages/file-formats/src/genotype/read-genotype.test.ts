import { gzipSync } from 'node:zlib';
import { someOf } from '@heterosis/test-support/whole';
import { describe, expect, test } from 'vitest';
import { type ByteSource, memorySource } from '../byte-source.ts';
import { bgzip, codesOf, listed, readFileOf, type SmallPanel, zipOf } from './genotype-file.test-data.ts';
import { createRandomStream } from './random.test-data.ts';

const PANEL: SmallPanel = {
  samples: ['L1', 'L2', 'L3', 'L4', 'L5'],
  markers: [
    { id: 'm1', chromosome: '1', positionBp: 100, a1: 'A', a2: 'C', dosages: [0, 1, 2, null, 0] },
    { id: 'm2', chromosome: '1', positionBp: 250, a1: 'G', a2: 'T', dosages: [2, 0, 0, 1, 0] },
    { id: 'm3', chromosome: '2', positionBp: 50, a1: 'T', a2: 'C', dosages: [1, 1, null, 0, 0] },
    { id: 'm4', chromosome: '10', positionBp: 7, a1: 'C', a2: 'G', dosages: [0, 0, 2, 2, 0] },
  ],
};

const lines = (...rows: string[]): string => `${rows.join('\n')}\n`;
const pair = (marker: SmallPanel['markers'][number], dosage: number | null, between = '', missing = 'N'): string =>
  dosage === null
    ? missing + between + missing
    : [marker.a1, marker.a2][dosage === 2 ? 1 : 0] + between + [marker.a1, marker.a2][dosage === 0 ? 0 : 1];

function vcf({ samples, markers }: SmallPanel, between = '/'): string {
  const call = (dosage: number | null) =>
    dosage === null ? `.${between}.` : [`0${between}0`, `0${between}1`, `1${between}1`][dosage];
  return lines(
    '##fileformat=VCFv4.2',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples].join('\t'),
    ...markers.map((m) =>
      [m.chromosome, m.positionBp, m.id, m.a1, m.a2, '.', 'PASS', '.', 'GT', ...m.dosages.map(call)].join('\t'),
    ),
  );
}

function hapmap(
  { samples, markers }: SmallPanel,
  call: (m: SmallPanel['markers'][number], d: number | null) => string,
) {
  const lead = 'rs# alleles chrom pos strand assembly# center protLSID assayLSID panelLSID'.split(' ');
  return lines(
    [...lead, 'QCcode', ...samples].join('\t'),
    ...markers.map((m) =>
      [
        m.id,
        `${m.a1}/${m.a2}`,
        m.chromosome,
        m.positionBp,
        '+',
        ...Array(6).fill('NA'),
        ...m.dosages.map((d) => call(m, d)),
      ].join('\t'),
    ),
  );
}

const IUPAC: Record<string, string> = { AG: 'R', CT: 'Y', CG: 'S', AT: 'W', GT: 'K', AC: 'M' };
const iupac = (marker: SmallPanel['markers'][number], dosage: number | null): string => {
  const [first = '', second = ''] = [...pair(marker, dosage)].sort();
  return first === second ? first : (IUPAC[first + second] ?? '?');
};

const markerRows = ({ samples, markers }: SmallPanel, separator = ',', comma = '.'): string =>
  lines(
    ['marker', 'chrom', 'pos', 'REF', 'ALT', ...samples].join(separator),
    ...markers.map((m) =>
      [
        m.id,
        m.chromosome,
        m.positionBp,
        m.a1,
        m.a2,
        ...m.dosages.map((d) => (d === null ? 'NA' : `${d}${comma}0`)),
      ].join(separator),
    ),
  );

const sampleRows = ({ samples, markers }: SmallPanel, cell: (m: SmallPanel['markers'][number], i: number) => unknown) =>
  lines(
    ['sample', ...markers.map(({ id }) => id)].join(','),
    ...samples.map((sample, i) => [sample, ...markers.map((m) => cell(m, i))].join(',')),
  );

const letterRows = (panel: SmallPanel): string => sampleRows(panel, (m, i) => pair(m, m.dosages[i] ?? null));

const bim = ({ markers }: SmallPanel): string =>
  lines(...markers.map((m) => [m.chromosome, m.id, 0, m.positionBp, m.a2, m.a1].join('\t')));
const fam = ({ samples }: SmallPanel): string => lines(...samples.map((sample) => `F ${sample} 0 0 0 -9`));
const map = ({ markers }: SmallPanel): string =>
  lines(...markers.map((m) => [m.chromosome, m.id, 0, m.positionBp].join('\t')));
const ped = ({ samples, markers }: SmallPanel): string =>
  lines(
    ...samples.map((sample, i) =>
      ['F', sample, 0, 0, 0, -9, ...markers.map((m) => pair(m, m.dosages[i] ?? null, ' ', '0'))].join(' '),
    ),
  );
function bed({ samples, markers }: SmallPanel): Uint8Array {
  const stride = Math.ceil(samples.length / 4);
  const bytes = new Uint8Array(3 + stride * markers.length);
  bytes.set([0x6c, 0x1b, 0x01]);
  for (const [j, { dosages }] of markers.entries())
    for (const [i, dosage] of dosages.entries()) {
      const code = dosage === null ? 1 : ([3, 2, 0][dosage] ?? 1);
      bytes[3 + j * stride + (i >> 2)] = (bytes[3 + j * stride + (i >> 2)] ?? 0) | (code << (2 * (i & 3)));
    }
  return bytes;
}
const flapjack = (panel: SmallPanel) => ({
  'genotypes.txt': lines(
    '# fjFile = GENOTYPE',
    ['', ...panel.markers.map(({ id }) => id)].join('\t'),
    ...panel.samples.map((sample, i) =>
      [sample, ...panel.markers.map((m) => pair(m, m.dosages[i] ?? null, '/', '-'))].join('\t'),
    ),
  ),
  'map.txt': lines('# fjFile = MAP', ...panel.markers.map((m) => [m.id, m.chromosome, m.positionBp].join('\t'))),
});

describe('the same panel', () => {
  const places = new Map(PANEL.markers.map((m) => [m.id, { chromosome: m.chromosome, positionBp: m.positionBp }]));
  const trio = { 'set.bed': bed(PANEL), 'set.bim': bim(PANEL), 'set.fam': fam(PANEL) };
  test.each([
    ['VCF', vcf(PANEL), 'vcf'],
    ['phased VCF', vcf(PANEL, '|'), 'vcf'],
    ['VCF with CRLF', vcf(PANEL).replaceAll('\n', '\r\n'), 'vcf'],
    ['VCF with old Mac line ends', vcf(PANEL).replaceAll('\n', '\r'), 'vcf'],
    ['VCF without a line end at the end', vcf(PANEL).trimEnd(), 'vcf'],
    ['VCF with a byte-order mark', `\uFEFF${vcf(PANEL)}`, 'vcf'],
    ['VCF in UTF-16', memorySource(Buffer.from(`\uFEFF${vcf(PANEL)}`, 'utf16le')), 'vcf'],
    ['gzip', memorySource(gzipSync(vcf(PANEL))), 'vcf'],
    ['gzip in several members', memorySource(members(vcf(PANEL))), 'vcf'],
    ['bgzip', bgzip(vcf(PANEL), { blockSize: 97 }), 'vcf'],
    ['zip with one VCF in a folder', zipOf({ 'data/panel.vcf': vcf(PANEL), '__MACOSX/._panel.vcf': 'x' }), 'vcf'],
    ['HapMap with one letter', hapmap(PANEL, iupac), 'hapmap'],
    ['HapMap with two letters', hapmap(PANEL, (m, d) => pair(m, d)), 'hapmap'],
    ['HapMap with quotes and commas', quoted(hapmap(PANEL, iupac)), 'hapmap'],
    ['numeric matrix, markers in rows', markerRows(PANEL), 'numeric-matrix'],
    ['numeric matrix with tabs', markerRows(PANEL, '\t'), 'numeric-matrix'],
    ['numeric matrix with semicolons and decimal commas', markerRows(PANEL, ';', ','), 'numeric-matrix'],
    ['PLINK binary zip', zipOf(trio), 'plink-binary'],
    [
      'PLINK binary zip in a folder',
      zipOf(Object.fromEntries(Object.entries(trio).map(([k, v]) => [`a/${k}`, v]))),
      'plink-binary',
    ],
  ])('read from %s gives the same calls', async (_, source, format) => {
    const outcome = await readFileOf(source);
    expect(listed(outcome).filter((problem) => problem.startsWith('E-'))).toEqual([]);
    expect(outcome.format).toBe(format);
    expect(outcome.panel).toEqual(PANEL);
    expect(outcome.left.sort()).toEqual(
      ['bed', 'bim', 'contigs.csv', 'fam', 'linkmaptemp.csv', 'samples.csv', 'snpids.csv'].map(
        (name) => `panel.${name}`,
      ),
    );
  });

  // These do not say which allele is the reference: the more frequent one is, so m4, where both have the same count,
  // goes by the alphabet.
  test.each([
    ['letters, samples in rows', letterRows(PANEL), 'letter-matrix', places],
    ['PLINK text zip', zipOf({ 'set.ped': ped(PANEL), 'set.map': map(PANEL) }), 'plink-text', undefined],
    ['Flapjack', zipOf(flapjack(PANEL)), 'flapjack', undefined],
  ])('read from %s gives the same calls, counting the rarer allele', async (_, source, format, known) => {
    const outcome = await readFileOf(source, known ? { places: known } : {});
    expect(listed(outcome).filter((problem) => problem.startsWith('E-'))).toEqual([]);
    expect(outcome.format).toBe(format);
    expect(outcome.panel).toEqual(PANEL);
    expect(codesOf(outcome)).toContain('W-GT-ALLELES');
  });

  test('read from numbers with samples in rows has the places of the linkage map, and no allele names', async () => {
    const text = sampleRows(PANEL, (m, i) => m.dosages[i] ?? '');
    const { panel } = await readFileOf(text, { places });
    expect(panel).toEqual({ ...PANEL, markers: PANEL.markers.map((m) => ({ ...m, a1: '0', a2: '0' })) });
    const without = await readFileOf(text);
    expect(without.panel.markers.map(({ chromosome }) => chromosome)).toEqual(['UN', 'UN', 'UN', 'UN']);
    expect(codesOf(without)).toContain('W-GT-NO-POS');
  });

  test("read as R's write.table leaves it, without a head over the row names", async () => {
    const text = sampleRows(PANEL, (m, i) => m.dosages[i] ?? 'NA').replace('sample,', '');
    expect((await readFileOf(text, { places })).panel.samples).toEqual(PANEL.samples);
  });

  test.each([
    ['-1/0/1', (d: number) => d - 1],
    ['0/1/2', (d: number) => d],
  ])('coded %s is the same', async (_, code) => {
    const text = sampleRows(PANEL, (m, i) => {
      const dosage = m.dosages[i] ?? null;
      return dosage === null ? '' : code(dosage);
    });
    const { panel } = await readFileOf(text, { places });
    expect(panel.markers.map(({ dosages }) => dosages)).toEqual(PANEL.markers.map(({ dosages }) => dosages));
  });

  test('unsorted is sorted by natural order of chromosomes, with a warning', async () => {
    const outcome = await readFileOf(vcf({ ...PANEL, markers: PANEL.markers.toReversed() }));
    expect(outcome.panel).toEqual(PANEL);
    expect(codesOf(outcome)).toContain('W-GT-UNSORTED');
  });
});

/** A panel of 8 to 44 samples whose every marker has both alleles, the first of them more often. */
function randomPanel(seed: number): SmallPanel {
  const random = createRandomStream(seed);
  const sampleCount = 8 + Math.floor(random() * 37);
  return {
    samples: Array.from({ length: sampleCount }, (_, i) => `S.${i}-${seed}`),
    markers: Array.from({ length: 30 }, (_, j) => {
      const [a1 = '', a2 = ''] = ['A', 'C', 'G', 'T'].sort(() => random() - 0.5);
      const rare = Math.floor(random() * sampleCount);
      const dosages = Array.from({ length: sampleCount }, (__, i) => {
        if (i === rare) return 1;
        // At most every fifth has the rarer allele twice and every sixth none at all, so that it stays the rarer one.
        if (i % 5 === 0) return random() < 0.5 ? 2 : 0;
        return i % 6 === 1 && random() < 0.5 ? null : 0;
      });
      return { id: `m${j}`, chromosome: j < 15 ? '2' : '11', positionBp: 1 + 100 * j, a1, a2, dosages };
    }),
  };
}

test.each([1, 2, 3, 4, 5, 6])('random panel %i is the same in every format', async (seed) => {
  const panel = randomPanel(seed);
  const places = new Map(panel.markers.map((m) => [m.id, { chromosome: m.chromosome, positionBp: m.positionBp }]));
  const sources: Record<string, string | ByteSource> = {
    vcf: vcf(panel, '|'),
    hapmap: hapmap(panel, iupac),
    numbers: markerRows(panel, ';', ','),
    letters: sampleRows(panel, (m, i) => pair(m, m.dosages[i] ?? null, '/')),
    plinkBinary: zipOf({ 'x.bed': bed(panel), 'x.bim': bim(panel), 'x.fam': fam(panel) }),
    plinkText: zipOf({ 'x.ped': ped(panel), 'x.map': map(panel) }),
    flapjack: zipOf(flapjack(panel)),
  };
  for (const [name, source] of Object.entries(sources)) {
    const outcome = await readFileOf(source, { places });
    expect(outcome.panel, name).toEqual(panel);
  }
});

const quoted = (text: string): string =>
  lines(
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `"${line.replaceAll('\t', '","')}"`),
  );

function members(text: string): Buffer {
  const half = text.length >> 1;
  return Buffer.concat([gzipSync(text.slice(0, half)), gzipSync(text.slice(half))]);
}

const HEAD = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT';
const vcfRows = (samples: string, ...rows: string[]): string => lines(`${HEAD}\t${samples}`, ...rows);
const row = (place: string, calls: string, { alleles = 'A\tC', format = 'GT' } = {}): string =>
  `${place}\t${alleles}\t.\t.\t.\t${format}\t${calls}`;

describe('problems of a VCF, with line, column and value', () => {
  test.each([
    [
      'a sample twice',
      vcfRows('B73\tMo17\tB73', row('1\t5\tm', '0/0\t0/1\t1/1')),
      ['E-GT-DUP-SAMPLE line 2 B73 (L) B73'],
    ],
    ['a sample without a name', vcfRows('B73\t ', row('1\t5\tm', '0/0\t0/1')), ['E-NAME-EMPTY line 2']],
    ['a position that is no number', vcfRows('a\tb', row('1\tx5\tm', '0/0\t0/1')), ['E-GT-POS line 3 POS (B) x5']],
    ['a missing position', vcfRows('a\tb', row('1\t\tm', '0/0\t0/1')), ['E-GT-POS line 3 POS (B)']],
    ['a call that is none', vcfRows('a\tb', row('1\t5\tm', '0/0\tzz')), ['E-GT-BAD-CALL line 3 b (K) zz']],
    [
      'an allele that the row does not have',
      vcfRows('a\tb', row('1\t5\tm', '0/0\t0/2')),
      ['E-GT-BAD-CALL line 3 b (K) 0/2'],
    ],
    ['fewer samples than the header', vcfRows('a\tb\tc', row('1\t5\tm', '0/0\t0/1')), ['E-GT-COLS line 3']],
    ['more samples than the header', vcfRows('a', row('1\t5\tm', '0/0\t0/1')), ['E-GT-COLS line 3']],
    ['no genotypes', vcfRows('a\tb', row('1\t5\tm', '3\t4', { format: 'AD' })), ['E-GT-NO-GT line 3']],
    [
      'two ploidies',
      vcfRows('a\tb', row('1\t5\tm', '0/0\t0/0/1')),
      ['E-GT-PLOIDY-MIX line 3 b (K) 0/0/1', 'E-GT-PLOIDY line 3'],
    ],
    [
      'one id at two positions',
      vcfRows('a\tb', row('1\t5\tm', '0/0\t0/1'), row('1\t6\tm', '0/0\t0/1')),
      ['E-GT-DUP-MARKER line 4'],
    ],
    [
      'one variant twice',
      vcfRows('a\tb', row('1\t5\tm', '0/0\t0/1'), row('1\t5\tn', '0/0\t0/1')),
      ['E-GT-DUP-POS line 4'],
    ],
    ['a header only', vcfRows('a\tb'), ['E-EMPTY']],
  ])('%s', async (_, text, expected) => {
    const outcome = await readFileOf(text);
    const errors = listed(outcome).filter((problem) => problem.startsWith('E-'));
    for (const [index, start] of expected.entries()) expect(errors[index]).toMatch(startsWith(start));
    expect(errors).toHaveLength(expected.length);
    expect(outcome.left).toEqual([]);
    for (const { message, severity } of outcome.report.problems)
      if (severity === 'error') expect(message).toMatch(/\.$/);
  });

  test('all of them come in one pass', async () => {
    const text = vcfRows(
      'a\tb',
      row('1\tx\tm1', '0/0\t0/1'),
      row('1\t2\tm2', 'q\t0/1'),
      row('1\t3\tm3', '0/0'),
      row('1\t4\tm4', '0/0\t9/9'),
    );
    const errors = codesOf(await readFileOf(text)).filter((code) => code.startsWith('E-'));
    expect(errors.sort()).toEqual(['E-GT-BAD-CALL', 'E-GT-COLS', 'E-GT-POS']);
  });

  test.each([
    ['no id', row('1\t5\t.', '0/0\t0/1'), 'W-GT-ID-IMPUTED', '1@5'],
    ['three alleles', row('1\t5\tm', '0/1\t1/2', { alleles: 'A\tC,G' }), 'W-GT-MULTI', undefined],
    ['half a call', row('1\t5\tm', '0/0\t./1'), 'W-GT-HALF-CALL', 'm'],
    ['one allele only', row('1\t5\tm', '0/0\t0/0'), 'W-GT-MONO', 'm'],
    ['unphased calls', row('1\t5\tm', '0/0\t0/1'), 'W-GT-UNPHASED', 'm'],
  ])('%s is read with a warning', async (_, line, code, id) => {
    const outcome = await readFileOf(vcfRows('a\tb', line));
    expect(codesOf(outcome)).toContain(code);
    expect(outcome.files.length).toBeGreaterThan(0);
    if (id !== undefined) expect(outcome.panel.markers[0]?.id).toBe(id);
  });

  test('rows with three alleles are split, one marker for each alternative, or left out', async () => {
    const text = vcfRows('a\tb\tc', row('1\t5\tm', '0/1\t1/2\t2/2', { alleles: 'A\tC,G' }));
    const { markers } = (await readFileOf(text)).panel;
    expect(markers.map(({ a2, dosages }) => [a2, dosages])).toEqual([
      ['C', [1, 1, 0]],
      ['G', [0, 1, 2]],
    ]);
    expect(codesOf(await readFileOf(text, { multiallelic: 'drop' }))).toContain('E-EMPTY');
  });

  test('GT may have any place and company, and dosages serve where it is absent', async () => {
    const { panel } = await readFileOf(
      vcfRows(
        'a\tb',
        row('1\t5\tm', '9:0/1\t3:1/1', { format: 'DP:GT' }),
        row('1\t6\tn', '0.02\t1.97', { format: 'DS' }),
      ),
    );
    expect(panel.markers.map(({ dosages }) => dosages)).toEqual([
      [1, 2],
      [0, 2],
    ]);
  });
});

const startsWith = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

describe('problems of the other formats', () => {
  const good = (text: string) => text;
  test.each([
    [
      'HapMap: a call of one letter that is none',
      hapmap(PANEL, iupac).replace('\tM\t', '\tX\t'),
      'E-GT-BAD-CALL line 2 L2 (M) X',
    ],
    [
      'HapMap: a position',
      hapmap(PANEL, iupac).replace('\t100\t', '\tabout 100\t'),
      'E-GT-POS line 2 pos (D) about 100',
    ],
    ['HapMap: a missing cell', hapmap(PANEL, iupac).replace('\tM\t', '\t'), 'E-GT-COLS line 2'],
    ['HapMap: a sample twice', hapmap(PANEL, iupac).replace('\tL5', '\tL1'), 'E-GT-DUP-SAMPLE line 1 L1 (P) L1'],
    ['HapMap: no samples', hapmap({ ...PANEL, samples: [] }, iupac), 'E-COL-MISSING line 1'],
    ['numbers: a word', good(markerRows(PANEL)).replace('1.0', 'high'), 'E-GT-BAD-CALL line 2 L2 (G) high'],
    ['numbers: no known coding', sampleRows(PANEL, (_m, i) => [-1, 0, 1, 2, 3][i]), 'E-GT-CODING'],
    ['numbers: a ragged row', markerRows(PANEL).replace(',0.0\n', '\n'), 'E-GT-COLS line 2'],
    ['numbers: a sample twice', sampleRows(PANEL, () => 1).replace('L5', 'L1'), 'E-GT-DUP-SAMPLE line 6 L1'],
    ['numbers: a header only', 'sample,m1,m2\n', 'E-'],
    ['PLINK: no .fam', zipOf({ 'a.bed': bed(PANEL), 'a.bim': bim(PANEL) }), 'E-GT-TRIO'],
    [
      'PLINK: a .bed that is too short',
      zipOf({ 'a.bed': bed(PANEL).slice(0, -1), 'a.bim': bim(PANEL), 'a.fam': fam(PANEL) }),
      'E-GT-TRIO',
    ],
    [
      'PLINK: one individual too many',
      zipOf({
        'a.bed': bed(PANEL),
        'a.bim': bim(PANEL),
        'a.fam': `${fam(PANEL)}F x 0 0 0 -9\nF y 0 0 0 -9\nF z 0 0 0 -9\nF w 0 0 0 -9\n`,
      }),
      'E-GT-TRIO',
    ],
    ['PLINK text: no .map', zipOf({ 'a.ped': ped(PANEL) }), 'E-GT-TRIO'],
    [
      'PLINK text: a cut line',
      zipOf({ 'a.ped': ped(PANEL).replace(/ \S+ \S+\n/, '\n'), 'a.map': map(PANEL) }),
      'E-GT-COLS line 1',
    ],
    ['Flapjack without map', zipOf({ 'g.txt': flapjack(PANEL)['genotypes.txt'] }), 'E-GT-MAP'],
    ['Flapjack not in a zip', flapjack(PANEL)['genotypes.txt'], 'E-GT-MAP'],
  ])('%s', async (_, source, expected) => {
    const outcome = await readFileOf(source);
    expect(listed(outcome).find((problem) => problem.startsWith('E-'))).toMatch(startsWith(expected));
    expect(outcome.left).toEqual([]);
  });
});

describe('broken files', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'E-EMPTY'],
    ['blank lines', Buffer.from('\n\n\n'), 'E-EMPTY'],
    ['a gzip of nothing', gzipSync(''), 'E-EMPTY'],
    ['a truncated gzip', gzipSync(vcf(PANEL)).subarray(0, -30), 'E-GT-TRUNCATED'],
    ['a damaged gzip', damaged(gzipSync(vcf(PANEL))), 'E-GZIP'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'E-TYPE'],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj\n'), 'E-TYPE'],
    ['NUL bytes', Buffer.from('line\0,x\0,y\0\n1,2,3\n'), 'E-TYPE'],
    ['a phenotype table', Buffer.from('line,yield\nB73,51.3\nMo17,48.9\n'), 'E-TYPE'],
    ['a cut zip', Buffer.from('PK\u0003\u0004cut'), 'E-'],
  ])('%s', async (_, bytes, code) => {
    const outcome = await readFileOf(memorySource(bytes, 'table.csv'));
    expect(listed(outcome).find((problem) => problem.startsWith('E-'))).toMatch(startsWith(code));
    expect(outcome.left).toEqual([]);
  });

  test('a bgzip file without its end is read with a warning', async () => {
    const outcome = await readFileOf(bgzip(vcf(PANEL), { hasEnd: false }));
    expect(codesOf(outcome)).toContain('W-GT-NO-END');
    expect(outcome.panel).toEqual(PANEL);
  });

  test('a gzip that inflates without end is given up early', { tags: 'whole' }, async () => {
    // 300 MB of one byte in 300 kB.
    const bomb = gzipSync(Buffer.concat([Buffer.from(vcf(PANEL)), Buffer.alloc(300_000_000, 0x41)]));
    const outcome = await readFileOf(memorySource(bomb));
    expect(codesOf(outcome)).toEqual(['E-TOO-LARGE']);
    expect(outcome.left).toEqual([]);
  });

  test('a file above the limits is refused with both sizes', async () => {
    const compressed = await readFileOf(vcf(PANEL), { limits: { maxCompressedBytes: 10 } });
    expect(codesOf(compressed)).toEqual(['E-TOO-LARGE']);
    const inflated = await readFileOf(memorySource(gzipSync(vcf(PANEL))), { limits: { maxInflatedBytes: 100 } });
    expect(codesOf(inflated)).toEqual(['E-TOO-LARGE']);
  });

  test('a VCF of header lines without end is not read to its end', async () => {
    const lines = Buffer.from(`##fileformat=VCFv4.2\n${`##${'x'.repeat(9997)}\n`.repeat(7000)}`);
    const outcome = await readFileOf(memorySource(lines));
    expect(codesOf(outcome)).toEqual(['E-TOO-LARGE']);
    expect(outcome.report.problems[0]).toMatchObject({ line: 6401 });
  });

  // As many separators as no array has room for: the process would end, not only the reading.
  test.each([
    ['a call of a VCF', `${HEAD}\ta\n1\t5\tm\t`, 'A', 'E-GT-COLS'],
    ['tabs of a VCF header', HEAD, '\t', 'E-TOO-LARGE'],
    ['commas in ALT', `${HEAD}\ta\n1\t5\tm\tA\t`, ',', 'E-GT-COLS'],
    ['cells of a matrix', 'sample,m1,m2\na,0,1\nb,', ',', 'E-GT-COLS'],
    ['columns of a matrix without rows', 'sample', ',', 'E-TOO-LARGE'],
    ['anything', '', 'x', 'E-TYPE'],
  ])('a single line of 200 MB of %s ends in a coded problem', { tags: 'whole' }, async (_, start, fill, code) => {
    const outcome = await readFileOf(longLine(start, fill));
    expect(codesOf(outcome)).toContain(code);
    expect(outcome.left).toEqual([]);
  });

  test('a line above its limit is refused', async () => {
    const outcome = await readFileOf(longLine(`${HEAD}\ta\n`, 'A'), { limits: { maxLineBytes: 10_000_000 } });
    expect(codesOf(outcome)).toEqual(['E-TOO-LARGE']);
    expect(outcome.left).toEqual([]);
  });

  test('an abort rejects with its reason and leaves nothing', async () => {
    const stop = new AbortController();
    stop.abort(new Error('cancelled by the user'));
    await expect(readFileOf(vcf(PANEL), { signal: stop.signal })).rejects.toThrow('cancelled by the user');
  });

  const files: [string, ByteSource][] = [
    ['VCF', memorySource(Buffer.from(vcf(PANEL)))],
    ['HapMap', memorySource(Buffer.from(hapmap(PANEL, iupac)))],
    ['numbers', memorySource(Buffer.from(markerRows(PANEL)))],
    ['gzip', memorySource(gzipSync(vcf(PANEL)))],
    ['zip', zipOf({ 'set.bed': bed(PANEL), 'set.bim': bim(PANEL), 'set.fam': fam(PANEL) })],
    ['PLINK text', zipOf({ 'set.ped': ped(PANEL), 'set.map': map(PANEL) })],
    ['Flapjack', zipOf(flapjack(PANEL))],
    ['letters in UTF-16', memorySource(Buffer.from(`\uFEFF${letterRows(PANEL)}`, 'utf16le'))],
    ['bgzip', bgzip(vcf(PANEL), { blockSize: 97 })],
  ];
  test.each(files)('%s with bytes changed, cut out or added never throws', async (name, good) => {
    const random = createRandomStream(name.length);
    const bytes = await good.read(0, good.size);
    for (let round = 0; round < someOf(60); round++) {
      const outcome = await readFileOf(memorySource(mutated(bytes, random), name));
      const hasErrors = outcome.report.totals.errors > 0;
      expect(outcome.left.length > 0).toBe(!hasErrors);
    }
  });
});

/** A source of `start` and then 200 MB of one character, made while it is read. */
function longLine(start: string, fill: string): ByteSource {
  const head = Buffer.from(start);
  const chunk = Buffer.alloc(1_000_000, fill);
  return {
    name: 'long.txt',
    size: head.length + 200 * chunk.length,
    read: async (offset, length) => Buffer.concat([head, chunk]).subarray(offset, offset + length),
    async *stream() {
      if (head.length > 0) yield head;
      for (let i = 0; i < 200; i++) yield chunk;
    },
    close: async () => {},
  };
}

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let i = 60; i < 80; i++) copy[i] = (copy[i] ?? 0) ^ 0xff;
  return copy;
}

function mutated(bytes: Uint8Array, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(random() * copy.length);
  switch (Math.floor(random() * 4)) {
    case 0:
      copy[at] = Math.floor(random() * 256);
      return copy;
    case 1:
      return copy.subarray(0, at);
    case 2:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1 + Math.floor(random() * 5))]);
    default:
      return Buffer.concat([copy.subarray(0, at), Buffer.from('\t,0\n'), copy.subarray(at)]);
  }
}
