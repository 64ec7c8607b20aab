import { afterAll } from 'vitest';
import { type Person, type Product, type Project, startProduct } from './product.ts';

interface StartedProject {
  product: Product;
  project: Project;
  owner: Person;
  /** Of the project, and of nothing else. */
  member: Person;
  /** Of no organization. */
  outsider: Person;
}

/** For the tests of a file: a product that is closed after them, with one project. */
export async function startProject(options?: Parameters<typeof startProduct>[0]): Promise<StartedProject> {
  const product = await startProduct(options);
  afterAll(() => product.close());
  const owner = await product.person('olga');
  const member = await product.person('max');
  const outsider = await product.person('otto');
  const project = await product.project(owner);
  await product.join(project, member, 'MEMBER');
  return { product, project, owner, member, outsider };
}
