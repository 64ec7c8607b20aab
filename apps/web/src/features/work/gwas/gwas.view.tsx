import { GWAS_OPTIONS } from '@heterosis/contracts/options/gwas';
import { createGwasBody, type Gwas, type GwasDetail } from '@heterosis/contracts/work/gwas';
import { resultNames } from '@heterosis/contracts/work/gwas-names';
import { useTranslation } from 'react-i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatDecimals, formatTick } from '../../../lib/format/format.ts';
import { useTraitOrder } from '../../people/projects/index.ts';
import {
  DownloadCsv,
  errorFacts,
  type FactMakers,
  figureColumn,
  GWAS_STAGES,
  leftOutFact,
  type RunPartProps,
  type RunView,
  type WithState,
} from '../runs/index.ts';
import { gwasRuns } from './gwas.api.ts';
import { useGwasTrait } from './use-gwas-trait.ts';

const LAMBDA_DECIMALS = 2;

export const GWAS_VIEW: RunView<Gwas, GwasDetail> = {
  ...gwasRuns,
  body: createGwasBody,
  inputs: ['genotype', 'phenotype'],
  compareWith: 'compare-gwas',
  stages: () => GWAS_STAGES,
  useColumns,
  useFacts,
  Action,
  downloads: (gwas, t) =>
    resultNames(gwas)
      .filter((name) => gwas.status[name] === 'SUCCESS')
      .map((name) => [t('gwas.downloadImage', { trait: name }), gwas.image_urls[name]]),
};

function useColumns(projectId: string, runs: readonly WithState<Gwas>[] | undefined) {
  const { t } = useTranslation();
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  const inOrder = useTraitOrder(projectId);
  const figures = [
    figureColumn<WithState<Gwas>>(runs, inOrder, {
      id: 'hits',
      header: t('gwas.hits'),
      value: (one, trait) => one.summary[trait]?.hits,
      format: formatCount,
      sortedBy: (values) => values.reduce((sum, value) => sum + value, 0),
      minWidth: 220,
    }),
    figureColumn<WithState<Gwas>>(runs, inOrder, {
      id: 'lambda',
      header: 'λ',
      value: (one, trait) => one.summary[trait]?.lambda,
      format: (lambda) => formatDecimals(lambda, LAMBDA_DECIMALS),
      sortedBy: (values) => Math.max(...values),
      minWidth: 260,
    }),
  ];
  const columns: DataColumn<WithState<Gwas>>[] = [
    { id: 'test', header: textOf('test', 'label'), value: (one) => one.test, width: 90 },
    { id: 'fixed', header: t('gwas.fixedShort'), value: (one) => one.fixed, numeric: true, width: 70 },
  ];
  return { figures, columns };
}

function useFacts(gwas: GwasDetail, { t, file }: FactMakers) {
  const textOf = useOptionText('gwas', GWAS_OPTIONS);
  return [
    file(t('word.genotypeFile'), gwas.genotype),
    file(t('runs.phenotype'), gwas.phenotype),
    { label: textOf('test', 'label'), value: gwas.test },
    { label: textOf('fixed', 'label'), value: gwas.fixed },
    ...(gwas.covariates.length > 0 ? [{ label: t('gwas.covariates'), value: gwas.covariates.join(', ') }] : []),
    ...(gwas.condition_on.length > 0 ? [{ label: t('gwas.conditionFact'), value: gwas.condition_on.join(', ') }] : []),
    ...(gwas.gene_action.length > 0
      ? [{ label: textOf('gene_action', 'title'), value: gwas.gene_action.join(', ') }]
      : []),
    ...(gwas.loco ? [{ label: t('word.kinship'), value: t('gwas.locoKinship') }] : []),
    { label: textOf('thresh_maf', 'label'), value: formatTick(gwas.thresh_maf) },
    { label: textOf('thresh_callrate', 'label'), value: formatTick(gwas.thresh_callrate) },
    ...errorFacts(gwas.provenance.parameters, textOf, t),
    ...leftOutFact(t, gwas),
  ];
}

/** The results of the trait that is shown. */
function Action({ run: gwas }: RunPartProps<GwasDetail>) {
  const { trait } = useGwasTrait(gwas);
  return <DownloadCsv url={trait === undefined ? undefined : gwas.result_urls[trait]} />;
}
