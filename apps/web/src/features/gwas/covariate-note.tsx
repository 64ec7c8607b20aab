import type { GwasDetail } from '@heterosis/contracts/gwas';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { formatCount } from '../../lib/format.ts';

/** What the covariates cost or did not add; nothing when all of them are used for all individuals. */
export function CovariateNote({ gwas, trait }: { gwas: GwasDetail; trait: string }) {
  const { t } = useTranslation();
  const { covariates = [], without_covariate: lacking = 0 } = gwas.summary[trait] ?? {};
  const notes = [
    ...(lacking > 0 ? [t('gwas.withoutCovariate', { count: lacking, shown: formatCount(lacking) })] : []),
    ...covariates.flatMap(({ name, use }) =>
      use === 'used' ? [] : [t(use === 'constant' ? 'gwas.covariateConstant' : 'gwas.covariateExplained', { name })],
    ),
  ];
  return notes.length === 0 ? null : <Notice>{notes.join(' ')}</Notice>;
}
