import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { useModal } from '../../../lib/browser/modal.ts';
import { useMayWrite } from '../../people/projects/index.ts';

/**
 * Opens the dialog that runs a GWAS again, given markers besides those that it was given; undefined for those who may
 * not start one.
 */
export function useTestGiven(
  projectId: string,
  gwas: Pick<GwasDetail, 'id'>,
): ((markers: readonly string[]) => void) | undefined {
  const modal = useModal();
  const mayWrite = useMayWrite(projectId);
  if (!mayWrite) return undefined;
  return (markers) => modal.open('create-gwas', gwas.id, markers.slice(0, GWAS_OPTIONS.condition_on.most));
}
