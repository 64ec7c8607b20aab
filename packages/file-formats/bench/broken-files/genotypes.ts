import { gzipSync } from 'node:zlib';
import { type BrokenFile, brokenFiles, lines, repeated, tabbed, utf16, zipOf } from './broken-file.ts';

const VERSION = '##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n##contig=<ID=1>\n';
const COLUMNS = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];
const HEADER = tabbed([...COLUMNS, 'a', 'b', 'c']);
const variant = (
  chromosome: string | number,
  position: string | number,
  id: string,
  ref: string,
  alt: string,
  ...calls: string[]
) => tabbed([chromosome, position, id, ref, alt, '.', '.', '.', 'GT', ...calls]);
const ROWS =
  variant(1, 100, 'm1', 'A', 'C', '0/0', '0/1', '1/1') + variant(1, 200, 'm2', 'G', 'T', '0/1', '0/1', './.');
export const VCF: string = VERSION + HEADER + ROWS;
/** The good file with its first variant written otherwise. */
const first = (...[position, id, ref, alt, ...calls]: [string | number, string, string, string, ...string[]]) =>
  VERSION +
  HEADER +
  variant(1, position, id, ref, alt, ...calls) +
  variant(1, 200, 'm2', 'G', 'T', '0/1', '0/1', './.');
const calls = (...[a, b, c]: [string, string, string]) => first(100, 'm1', 'A', 'C', a, b, c);
const alleles = (ref: string, alt: string) => first(100, 'm1', ref, alt, '0/0', '0/1', '1/1');
const at = (position: string | number) => first(position, 'm1', 'A', 'C', '0/0', '0/1', '1/1');
const packed = gzipSync(VCF);

const VCFS = brokenFiles('vcf', {
  good: VCF,
  'cut in a row': `${VCF}1\t300\tm3\tA`,
  'no header': VERSION + ROWS,
  'header twice': VCF + HEADER + variant(1, 300, 'm3', 'A', 'C', '0/0', '0/1', '1/1'),
  'line made a comment': VCF.replace('\n1\t200', '\n#1\t200'),
  'two references': alleles('A,C', 'G'),
  'header of other samples':
    VCF + HEADER.replace('a\tb', 'b\ta') + variant(1, 300, 'm3', 'A', 'C', '0/0', '0/1', '1/1'),
  'whole file twice': VCF + VCF,
  'sample twice': VCF.replace('\tb\t', '\ta\t'),
  'sample without name': VCF.replace('\tb\t', '\t\t'),
  'position negative': at(-5),
  'position huge': at('99999999999999999999'),
  'position beyond 31 bits': at(2 ** 31),
  'position as 1e5': at('1e5'),
  'position as text': at('abc'),
  'position 0': at(0),
  'allele out of range': calls('0/0', '0/7', '1/1'),
  triploid: calls('0/0', '0/1/1', '1/1'),
  'haploid among diploid': calls('0/0', '1', '1/1'),
  'haploid with missing': calls('0', '1', './.'),
  'mixed phase': calls('0/0', '0|1', '1/1'),
  'call of letters': calls('0/0', '0/1', 'x/y'),
  'call empty': calls('0/0', '', '1/1'),
  'call without second allele': calls('0/0', '0/', '1/1'),
  'no GT': VCF.replaceAll('\tGT\t', '\tDP\t'),
  'GT second': VCF.replaceAll('\tGT\t', '\tDP:GT\t').replace(/\t([01.]\/[01.])/g, '\t5:$1'),
  'allele *': alleles('A', '*'),
  'allele <DEL>': alleles('A', '<DEL>'),
  'reference N': alleles('N', 'C'),
  'reference empty': alleles('', 'C'),
  'alternative empty': alleles('A', ''),
  'alternative with comma': alleles('A', 'C,'),
  'alleles the same': alleles('A', 'A'),
  'alleles the same but for case': alleles('AC', 'ac'),
  'alternative twice': alleles('A', 'C,C'),
  'reference among alternatives': alleles('A', 'C,A'),
  '300 alternatives': alleles('A', Array.from({ length: 300 }, (_, i) => 'C'.repeat(i + 1)).join(',')),
  'blank in allele': alleles('A C', 'G'),
  'chromosome empty': VCF.replace('\n1\t100', '\n\t100'),
  unsorted:
    VERSION +
    HEADER +
    [
      [2, 100],
      [1, 5],
      [2, 5],
    ]
      .map(([c = 0, p = 0], i) => variant(c, p, `m${i}`, 'A', 'C', '0/0', '0/0', '1/1'))
      .join(''),
  'mixed line ends': VCF.replace('\n', '\r\n'),
  NUL: VCF.replace('m2', 'm\x002'),
  'UTF-16': utf16(VCF),
  'blanks for tabs': VCF.replaceAll('\t', ' '),
  'byte order mark': `\uFEFF${VCF}`,
  'gzip cut': packed.subarray(0, -12),
  'gzip twice': gzipSync(packed),
  'gzip with more behind': Buffer.concat([packed, Buffer.from('garbage')]),
  'gzip with wrong sum': Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)]),
  'id of 100,000 characters': first(100, 'm'.repeat(100_000), 'A', 'C', '0/0', '0/1', '1/1'),
  'one variant 20,000 times': () =>
    VERSION + HEADER + repeated(20_000, () => variant(1, 7, '.', 'A', 'C', '0/0', '0/1', '1/1')),
  'four variants a position': () =>
    VERSION + HEADER + repeated(20_000, (i) => variant(1, 1 + Math.floor(i / 4), '.', 'A', 'C', '0/0', '0/1', '1/1')),
  'header only': VERSION + HEADER,
  'line of 20 MB': () => `${VERSION}##x=${'a'.repeat(20_000_000)}\n${HEADER}${ROWS}`,
  '200,000 samples': () =>
    `${VERSION}${HEADER.trimEnd()}${repeated(200_000, (i) => `\tq${i}`)}\n${variant(1, 1, 'm', 'A', 'C', '0/0', '0/0', '0/0').trimEnd()}${'\t0/0'.repeat(200_000)}\n`,
});

const HAPMAP_COLUMNS = 'rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode';
const HAPMAP_HEADER = lines(`${HAPMAP_COLUMNS}\ta\tb\tc`);
const marker = (
  id: string,
  alleleNames: string,
  chromosome: string | number,
  position: string | number,
  ...cells: string[]
) => tabbed([id, alleleNames, chromosome, position, '+', 'NA', 'NA', 'NA', 'NA', 'NA', 'NA', ...cells]);
const SECOND = marker('m2', 'G/T', 1, 20, 'GG', 'NN', 'TT');
const hapmap = (
  id: string,
  alleleNames: string,
  chromosome: string | number,
  position: string | number,
  ...cells: string[]
) => HAPMAP_HEADER + marker(id, alleleNames, chromosome, position, ...cells) + SECOND;
const GOOD = ['AA', 'AC', 'CC'];
const HAPMAP = hapmap('m1', 'A/C', 1, 10, ...GOOD);

const HAPMAPS = brokenFiles('hapmap', {
  good: HAPMAP,
  'allele that is not listed': hapmap('m1', 'A/C', 1, 10, 'AA', 'AC', 'GG'),
  'no alleles': hapmap('m1', '', 1, 10, ...GOOD),
  'alleles NA': hapmap('m1', 'NA', 1, 10, ...GOOD),
  'alleles the same': hapmap('m1', 'A/A', 1, 10, 'AA', 'AA', 'CC'),
  'one and two letters': hapmap('m1', 'A/C', 1, 10, 'A', 'M', 'CC'),
  'lower case': HAPMAP.toLowerCase(),
  'three letters': hapmap('m1', 'A/C', 1, 10, 'AA', 'ACG', 'CC'),
  indel: hapmap('m1', '+/-', 1, 10, '++', '+-', '--'),
  'ten columns': HAPMAP.replaceAll('\tNA\t', '\t'),
  'short row': HAPMAP.trimEnd().slice(0, -3),
  'long row': `${HAPMAP.trimEnd()}\tAA\n`,
  'chromosome empty': hapmap('m1', 'A/C', '', 10, ...GOOD),
  'position empty': hapmap('m1', 'A/C', 1, '', ...GOOD),
  'position as text': hapmap('m1', 'A/C', 1, 'ten', ...GOOD),
  'position beyond 31 bits': hapmap('m1', 'A/C', 1, 2 ** 31, ...GOOD),
  'marker twice': hapmap('m2', 'A/C', 1, 10, ...GOOD),
  'sample twice': HAPMAP.replace('\ta\tb', '\ta\ta'),
  'no samples': lines(HAPMAP_COLUMNS) + marker('m', 'A/C', 1, 1),
  'header only': HAPMAP_HEADER,
  'header twice': HAPMAP + HAPMAP_HEADER + marker('m3', 'A/C', 1, 30, ...GOOD),
  'commas for tabs': HAPMAP.replaceAll('\t', ','),
  'stray quote': hapmap('"m1', 'A/C', 1, 10, ...GOOD),
  'call XX': hapmap('m1', 'A/C', 1, 10, 'XX', 'AC', 'CC'),
  'call 00': hapmap('m1', 'A/C', 1, 10, '00', 'AC', 'CC'),
  'call ??': hapmap('m1', 'A/C', 1, 10, '??', 'AC', 'CC'),
  'calls with a slash': hapmap('m1', 'A/C', 1, 10, 'A/A', 'A/C', 'CC'),
  'four alleles': hapmap('m1', 'A/C/G/T', 1, 10, ...GOOD),
  'UTF-16': utf16(HAPMAP),
  NUL: hapmap('m\0', 'A/C', 1, 10, ...GOOD),
  'blanks for tabs': HAPMAP.replaceAll('\t', '  '),
  'blank lines': HAPMAP.replaceAll('\n', '\n\n'),
  'windows-1252': Buffer.from(HAPMAP.replace('\tb\t', '\tZüchter\t'), 'latin1'),
  'CR alone': HAPMAP.replaceAll('\n', '\r'),
});

const BIM = '1\tm1\t0\t10\tA\tC\n1\tm2\t0\t20\tG\tT\n';
const FAM = lines('F a 0 0 0 -9', 'F b 0 0 0 -9', 'F c 0 0 0 -9');
const BED = Uint8Array.of(0x6c, 0x1b, 1, 0b111000, 0b1011);
const set = (
  parts: { bed?: Uint8Array; bim?: string; fam?: string } = {},
  further: Record<string, string | Uint8Array> = {},
) => zipOf({ 'p.bed': parts.bed ?? BED, 'p.bim': parts.bim ?? BIM, 'p.fam': parts.fam ?? FAM, ...further });
const PED = lines('F a 0 0 0 -9 A A G G', 'F b 0 0 0 -9 A C 0 0', 'F c 0 0 0 -9 C C T T');
const MAP = lines('1 m1 0 10', '1 m2 0 20');
const ped = (text: string, map = MAP) => zipOf({ 'p.ped': text, 'p.map': map });
const moved = (folder: string) => zipOf({ [`${folder}p.bed`]: BED, [`${folder}p.bim`]: BIM, [`${folder}p.fam`]: FAM });

const ZIPS = brokenFiles('zip', {
  good: set(),
  'bed without its mark': set({ bed: Uint8Array.of(1, 2, 3, ...BED.subarray(3)) }),
  'bed by sample': set({ bed: BED.with(2, 0) }),
  'bed too short': set({ bed: BED.subarray(0, -1) }),
  'bed too long': set({ bed: new Uint8Array([...BED, 0, 0, 0]) }),
  'bed empty': set({ bed: new Uint8Array() }),
  'bim with one line less': set({ bim: BIM.split('\n', 1)[0] ?? '' }),
  'bim of five columns': set({ bim: BIM.replaceAll(/\t.\n/g, '\n') }),
  'bim with a position of text': set({ bim: BIM.replace('\t10\t', '\tx\t') }),
  'bim with a position beyond 31 bits': set({ bim: BIM.replace('\t10\t', '\t4294967296\t') }),
  'bim with an id twice': set({ bim: BIM.replace('m2', 'm1') }),
  'bim with equal alleles': set({ bim: BIM.replace('A\tC', 'A\tA') }),
  'bim with a long allele': set({ bim: BIM.replace('A\tC', `${'A'.repeat(50_000)}\tC`) }),
  'bim with an odd chromosome': set({ bim: BIM.replace('1\tm1', 'chrUn_27\tm1') }),
  'bim of 8 million lines': () => set({ bim: BIM.repeat(4_000_000) }),
  'fam with a sample twice': set({ fam: FAM.replace('F b', 'F a') }),
  'fam of four columns': set({ fam: 'F a 0 0\n' }),
  'fam empty': set({ fam: '' }),
  'no fam': zipOf({ 'p.bed': BED, 'p.bim': BIM }),
  'two beds': set({}, { 'q.bed': BED }),
  'in a folder': moved('x/'),
  'outside of its folder': moved('../../'),
  'with what macOS adds': set({}, { '__MACOSX/._p.bed': 'x' }),
  'cut off': set().subarray(0, -30),
  'head only': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]),
  'no files': zipOf({}),
  'beside 300 MB of zeros': () => set({}, { 'readme.txt': Buffer.alloc(300_000_000) }),
  'ped good': ped(PED),
  'ped with an odd allele': ped(PED.replace(' G G', ' G')),
  'ped with three alleles': ped(PED.replace('C C', 'G G')),
  'ped with half a call': ped(PED.replace('A C', 'A 0')),
  'ped without map': zipOf({ 'p.ped': PED }),
  'ped and map of three columns': ped(PED, MAP.replaceAll(' 0 ', ' ')),
  'ped and map of text': ped(PED, MAP.replace(' 10', ' ten')),
  'Flapjack names': zipOf({ 'g.txt': 'Line/Marker\tm1\tm2\na\t0\t1\nb\t3\t2\n', 'm.map': 'm1\t1H\t1\nm2\t1H\t2\n' }),
  'Flapjack numbers that may be copies': zipOf({
    'g.txt': '# fjFile = GENOTYPE\n\tm1\tm2\na\t0\t1\nb\t2\t2\n',
    'm.map': 'm1\t1H\t1\nm2\t1H\t2\n',
  }),
});

const MATRICES = brokenFiles('matrix', {
  good: 'marker,chrom,pos,REF,ALT,a,b\nm1,1,5,A,C,0,2\nm2,1,9,G,T,1,NA\n',
  'alleles the same': 'marker,chrom,pos,REF,ALT,a,b\nm1,1,5,A,A,0,2\nm2,1,9,G,T,1,NA\n',
  'position beyond 31 bits': 'marker,chrom,pos,REF,ALT,a,b\nm1,1,2147483648,A,C,0,2\n',
  'numbers up to 4': 'sample,m1,m2\na,0,4\nb,3,1\n',
  'a word among numbers': 'sample,m1,m2\na,0,2\nb,x,1\nc,1,1\n',
  'letters of three': 'sample,m1,m2\na,AA,AG\nb,AAG,GG\nc,AA,AG\n',
  'row too short': 'sample,m1,m2\na,0,2\nb,1\n',
  'marker twice': 'sample,m1,m1\na,0,2\nb,1,1\n',
  'sample twice': 'sample,m1,m2\na,0,2\na,1,1\n',
  'no header': 'a,0,2,1\nb,1,1,0\n',
});

export const GENOTYPES: BrokenFile[] = [...VCFS, ...HAPMAPS, ...ZIPS, ...MATRICES];
