import type { FileDetail } from '@heterosis/contracts/data/files';
import { uuidv7 } from 'uuidv7';
import { afterAll } from 'vitest';
import { callBrapi, specification } from '../../testing/brapi.ts';
import {
  type Answer,
  type Person,
  type Product,
  type Project,
  SMALL_VCF,
  settledFile,
  startProduct,
} from '../../testing/product.ts';

const OTHER_VCF = `##fileformat=VCFv4.2
#CHROM	POS	ID	REF	ALT	QUAL	FILTER	INFO	FORMAT	L1	L2	X9
3	50	n1	A	G	.	.	.	GT	0/0	0/1	1/1
4	60	n2	C	T	.	.	.	GT	1/1	./.	0/0
`;

/** Two sites in two years with plots in rows and columns, numbers and words. */
const TRIALS = `line,location,year,rep,block,plot,row,col,treatment,Yield (t/ha)|CO_322:0000994,colour
L1,Hai Duong,2021,1,1,101,1,1,wet,5.1,red
L2,Hai Duong,2021,1,2,102,1,2,wet,6.2,blue
L1,Hue,2022,1,1,201,2,1,dry,5.9,red
L3,Hue,2022,2,1,202,2,2,dry,,blue
`;

/** Field Book writes such files. */
const FIELD_BOOK = `line,plot,trait,value,timestamp
L1,1,Height,90,2021-07-01T10:00:00Z
L2,2,Height,95,2021-08-01T10:00:00Z
`;

const MAP = 'marker,chr,cM\nm1,1,0\nm2,1,2.5\nm4,2,10.25\n';
const OTHER_MAP = 'marker,chr,cM\nn1,3,0\nn2,3,1.5\n';

export interface BrapiData {
  owner: Person;
  /** The first has all types of files, the second some, in another organization. */
  projects: [Project, Project];
  files: Record<
    'genotype' | 'otherGenotype' | 'trials' | 'fieldBook' | 'map' | 'otherMap' | 'crosses' | 'otherCrosses',
    string
  >;
  /** Ids of germplasm by name. */
  germplasm: Map<string, string>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- entries of every list
export type Entry = Record<string, any>;

/** For the tests of a file: a product that is closed after them, with all that BrAPI answers, and how it is called. */
export async function startFilled() {
  const product = await startProduct();
  afterAll(() => product.close());
  const data = await fill(product);
  const call = (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    person: Pick<Person, 'token'> = data.owner,
  ): Promise<Answer> => callBrapi(product, person, method, path, body);
  const list = async (path: string): Promise<Entry[]> => (await call('GET', path)).body.result.data;
  return { product, data, call, list, problemsOf: specification().problemsOf };
}

/** Two organizations with at least two of everything that BrAPI answers. */
export async function fill(product: Product): Promise<BrapiData> {
  const owner = await product.person('owner');
  const projects: [Project, Project] = [await product.project(owner), await product.project(owner)];
  const [first, second] = projects;
  await product.services.db
    .updateTable('organizations')
    .set({ name: 'Other Breeding' })
    .where('id', '=', second.organizationId)
    .execute();
  await product.services.db
    .updateTable('crops')
    .set({ name: 'Rice' })
    .where('organization_id', '=', second.organizationId)
    .execute();
  // Uploaded one after the other, since lists are in the order of their files; checked all at once.
  const uploads: Promise<FileDetail>[] = [];
  const upload = async (
    project: Project,
    name: string,
    fileType: Parameters<Product['upload']>[2]['fileType'],
    bytes: string,
  ) => {
    const { id } = await product.upload(owner, project, { name, fileType, bytes });
    uploads.push(settledFile(owner, project, id));
    return id;
  };
  const files = {
    genotype: await upload(first, 'panel.vcf', 'GENOTYPE', SMALL_VCF),
    otherGenotype: await upload(second, 'other.vcf', 'GENOTYPE', OTHER_VCF),
    trials: await upload(first, 'trials.csv', 'PHENOTYPE', TRIALS),
    fieldBook: await upload(second, 'field-book.csv', 'PHENOTYPE', FIELD_BOOK),
    map: await upload(first, 'map.csv', 'LINKAGE_MAP', MAP),
    otherMap: await upload(second, 'other-map.csv', 'LINKAGE_MAP', OTHER_MAP),
    crosses: await upload(
      first,
      'crosses.csv',
      'CROSSING_TABLE',
      'cross,female,male,progeny\nC1,L1,L2,20\nC2,L2,L3,30\n',
    ),
    otherCrosses: await upload(second, 'other-crosses.csv', 'CROSSING_TABLE', 'female,male\nX8,X9\n'),
  };
  for (const { name, status } of await Promise.all(uploads))
    if (!status.startsWith('READY')) throw new Error(`${name} is ${status}`);
  for (const [project, list] of [
    [first, { name: 'Founders', kind: 'germplasm', members: ['L1', 'Line Two', 'nowhere'] }],
    [second, { name: 'Kept', kind: 'markers', members: ['n1', 'n2'] }],
  ] as const) {
    const { status, text } = await owner.call('POST', `${project.address}/lists`, list);
    if (status !== 201) throw new Error(text);
  }
  return { owner, projects, files, germplasm: await sow(product, projects) };
}

type Line = [name: string, female: string | null, male: string | null, type?: 'SELF' | 'DH' | 'BIPARENTAL'];

/** L1 × L2 → L3 and its sister L4, L5 selfed from L3; X9 in the other organization. */
const LINES: readonly Line[] = [
  ['L1', null, null],
  ['L2', null, null],
  ['L3', 'L1', 'L2', 'BIPARENTAL'],
  ['L4', 'L1', 'L2', 'BIPARENTAL'],
  ['L5', 'L3', null, 'SELF'],
  ['L6', null, null],
];

async function sow({ services }: Product, [first, second]: [Project, Project]): Promise<Map<string, string>> {
  const { db } = services;
  const ids = new Map<string, string>();
  const cropOf = async ({ organizationId }: Project): Promise<string> =>
    (await db.selectFrom('crops').select('id').where('organization_id', '=', organizationId).executeTakeFirstOrThrow())
      .id;
  const insert = async (project: Project, [name, female, male, type]: Line, attributes: Record<string, string>) => {
    const id = uuidv7();
    ids.set(name, id);
    await db
      .insertInto('germplasm')
      .values({
        ...{ id, name, folded_name: name.toLowerCase(), organization_id: project.organizationId },
        crop_id: await cropOf(project),
        collection: name === 'L1' ? 'Founders' : null,
        maternal_id: female === null ? null : (ids.get(female) ?? null),
        paternal_id: male === null ? null : (ids.get(male) ?? null),
        cross_type: type ?? null,
        attributes: JSON.stringify(attributes),
      })
      .execute();
  };
  const passport = {
    'Accession number': 'PI 1',
    Genus: 'Zea',
    species: 'mays',
    instituteCode: 'USA020',
    notes: 'tall',
  };
  for (const line of LINES) await insert(first, line, line[0] === 'L1' ? passport : {});
  await insert(second, ['X7', null, null], {});
  await insert(second, ['X8', 'X7', 'X7', 'SELF'], {});
  await insert(second, ['X9', null, null], { notes: 'short', 'Seed source': 'store' });
  await db
    .insertInto('germplasm_synonyms')
    .values({
      crop_id: await cropOf(first),
      germplasm_id: ids.get('L2') ?? '',
      name: 'Line Two',
      folded_name: 'linetwo',
    })
    .execute();
  return ids;
}
