import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { formatCount } from '../../../lib/format/format.ts';

const SHOWN_GROUPS = 5;

const listed = (names: readonly string[]): string =>
  names.slice(0, SHOWN_GROUPS).join(', ') + (names.length > SHOWN_GROUPS ? ', …' : '');

/**
 * What the covariates cost or did not add, and how groups were coded; nothing when all are numbers, used for all
 * individuals.
 */
export function CovariateNote({ gwas, trait }: { gwas: GwasDetail; trait: string }) {
  const { t } = useTranslation();
  const {
    covariates = [],
    conditioned_on: conditions = [],
    without_covariate: lacking = 0,
    chromosomes_left_out: chromosomes = [],
  } = gwas.summary[trait] ?? {};
  const unused = conditions.flatMap(({ name, use }) => (use === 'used' ? [] : [name]));
  const unplaced = chromosomes.find(({ chromosome }) => chromosome === null)?.markers ?? 0;
  const notes = [
    ...(unplaced > 0 ? [t('gwas.unplaced', { count: unplaced, shown: formatCount(unplaced) })] : []),
    ...(lacking > 0 ? [t('gwas.withoutCovariate', { count: lacking, shown: formatCount(lacking) })] : []),
    ...covariates.flatMap(({ name, use, groups }) => {
      if (use !== 'used')
        return [t(use === 'constant' ? 'gwas.covariateConstant' : 'gwas.covariateExplained', { name })];
      if (groups === undefined) return [];
      const { count, reference, alone, explained } = groups;
      return [
        t('gwas.covariateGrouped', { name, shown: formatCount(count), reference }),
        ...(alone.length > 0 ? [t('gwas.groupsAlone', { count: alone.length, names: listed(alone) })] : []),
        ...(explained.length > 0
          ? [t('gwas.groupsExplained', { count: explained.length, names: listed(explained) })]
          : []),
      ];
    }),
    ...(unused.length > 0 ? [t('gwas.conditionUnused', { markers: unused.join(', ') })] : []),
  ];
  return notes.length === 0 ? null : <Notice>{notes.join(' ')}</Notice>;
}
