import type { CovariateKind, GwasDetail } from '@heterosis/contracts/gwas';
import { Checkbox, Input, MultiSelect, NumberInput, SegmentedControl } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '../../components/form-columns.module.css';
import { useRequiredProjectId } from '../../lib/current.ts';
import { useSubmission } from '../../lib/form.ts';
import type { ModalProps } from '../../lib/modal.ts';
import { InputMatchPanel } from '../matching/index.ts';
import {
  RunDialog,
  RunInputFields,
  runInputBody,
  runInputValues,
  useRunInputs,
  WithSource,
} from '../run-dialog/index.ts';
import { gwasQuery, useGwasMutations } from './gwas.api.ts';

/** `id` names a GWAS that is run again with changes. */
export function CreateGwasModal({ close, id }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const query = useQuery({ ...gwasQuery(projectId, id ?? ''), enabled: id !== undefined });
  return (
    <WithSource title={t('gwas.run')} close={close} id={id} query={query}>
      {(source) => <RunGwas close={close} source={source} />}
    </WithSource>
  );
}

function RunGwas({ close, source }: { close: () => void; source: GwasDetail | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useRequiredProjectId();
  const { create } = useGwasMutations(projectId);
  const form = useForm({
    initialValues: {
      ...runInputValues(source, t),
      test: (source?.test ?? 'LRT') as GwasDetail['test'],
      fixed: (source?.fixed ?? 0) as number | string,
      covariates: source?.covariates ?? [],
      covariateKinds: (source?.provenance.parameters.covariate_kinds ?? {}) as Record<string, CovariateKind>,
      dominance: source?.dominance ?? false,
      thresh_maf: (source?.thresh_maf ?? 0.05) as number | string,
      thresh_callrate: (source?.thresh_callrate ?? 0.9) as number | string,
    },
  });
  const inputs = useRunInputs(projectId, form, source);
  const numbers = inputs.availableTraits.filter((trait) => !inputs.traits.includes(trait));
  const groups = inputs.availableGroups;
  const canChoose = numbers.length + groups.length > 0;
  // Until the traits of the file are known, keep what was chosen.
  const covariates =
    inputs.availableTraits.length === 0
      ? form.values.covariates
      : form.values.covariates.filter((name) => numbers.includes(name) || groups.includes(name));
  // Numbers that look like codes are proposed as groups: taken as a measurement by mistake they correct for next to nothing.
  const codes = covariates.filter((name) => inputs.codeLike.includes(name));
  const kindOf = (name: string): CovariateKind => form.values.covariateKinds[name] ?? 'factor';
  const emptyText = canChoose
    ? 'gwas.noCovariates'
    : inputs.availableTraits.length > 0
      ? 'gwas.allAreTraits'
      : 'runs.choosePhenotypeFirst';
  const submission = useSubmission(
    form,
    (values) =>
      create.mutateAsync({
        ...runInputBody(values),
        ...inputs.renamesBody,
        test: values.test,
        fixed: Number(values.fixed),
        covariates,
        covariate_kinds: Object.fromEntries(codes.map((name) => [name, kindOf(name)])),
        dominance: values.dominance,
        thresh_maf: Number(values.thresh_maf),
        thresh_callrate: Number(values.thresh_callrate),
      }),
    (one) =>
      navigate({ to: '/projects/$projectId/gwas/$gwasId', params: { projectId, gwasId: one.id }, replace: true }),
  );
  return (
    <RunDialog
      title={t('gwas.run')}
      help="gwas#start-a-gwas"
      close={close}
      submission={submission}
      missing={inputs.missing}
      match={<InputMatchPanel projectId={projectId} inputs={inputs} />}
    >
      <RunInputFields projectId={projectId} nameLabel={t('gwas.name')} inputs={inputs} />
      <div className={classes.pair}>
        <Input.Wrapper label={t('gwas.test')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('gwas.test')}
            data={['LRT', 'WALD', 'SCORE']}
            {...form.getInputProps('test')}
          />
        </Input.Wrapper>
        <NumberInput label={t('gwas.fixed')} min={0} max={20} allowDecimal={false} {...form.getInputProps('fixed')} />
        <NumberInput
          label={t('gwas.maf')}
          min={0}
          max={0.5}
          step={0.01}
          decimalScale={4}
          {...form.getInputProps('thresh_maf')}
        />
        <NumberInput
          label={t('gwas.callRate')}
          min={0}
          max={1}
          step={0.01}
          decimalScale={4}
          {...form.getInputProps('thresh_callrate')}
        />
      </div>
      <MultiSelect
        label={t('gwas.covariatesOptional')}
        description={t('gwas.covariatesHint')}
        placeholder={covariates.length === 0 ? t(emptyText) : undefined}
        data={
          groups.length === 0
            ? numbers
            : [
                { group: t('gwas.covariateNumbers'), items: numbers },
                { group: t('gwas.covariateGroups'), items: groups },
              ].filter(({ items }) => items.length > 0)
        }
        disabled={!canChoose}
        searchable
        clearable
        hidePickedOptions
        maxValues={50}
        nothingFoundMessage={t('gwas.noSuchColumn')}
        value={covariates}
        onChange={(names) => form.setFieldValue('covariates', names)}
        error={form.errors.covariates}
      />
      {codes.map((name) => (
        <Input.Wrapper
          key={name}
          label={t('gwas.codeQuestion', { name })}
          description={t('gwas.codeHint')}
          labelElement="div"
        >
          <SegmentedControl
            fullWidth
            aria-label={t('gwas.codeQuestion', { name })}
            data={[
              { value: 'factor', label: t('gwas.codeGroups') },
              { value: 'numeric', label: t('gwas.codeMeasurement') },
            ]}
            value={kindOf(name)}
            onChange={(kind) =>
              form.setFieldValue('covariateKinds', {
                ...form.values.covariateKinds,
                [name]: kind === 'numeric' ? 'numeric' : 'factor',
              })
            }
          />
        </Input.Wrapper>
      ))}
      <Checkbox
        label={t('gwas.dominance')}
        description={t('gwas.dominanceHint')}
        {...form.getInputProps('dominance', { type: 'checkbox' })}
      />
    </RunDialog>
  );
}
