import { EXAMPLE_FILES, EXAMPLE_PANEL, type RunInputs } from '@heterosis/test-support/run-examples';
import type { Person, Product, Project } from './product.ts';

/** The files of small runs, uploaded and checked; there is no model yet. */
export async function uploadRunInputs(product: Product, person: Person, project: Project): Promise<RunInputs> {
  const inputs: Partial<RunInputs> = { ...EXAMPLE_PANEL, model_id: '' };
  for (const [role, file] of Object.entries(EXAMPLE_FILES)) {
    const { id, status, name } = await product.uploadChecked(person, project, file);
    if (!status.startsWith('READY')) throw new Error(`${name} is ${status}`);
    Object.assign(inputs, { [role]: id });
  }
  return inputs as RunInputs;
}
