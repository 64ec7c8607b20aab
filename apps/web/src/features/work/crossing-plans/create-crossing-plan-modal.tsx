import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../lib/browser/modal.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { FileField, fileQuery } from '../../data/files/index.ts';
import { listQuery } from '../../data/lists/index.ts';
import { useLowTraits } from '../../people/projects/index.ts';
import { MatchPanel, useMatch } from '../matching/index.ts';
import { ModelField, modelRuns, useOnlyModel } from '../models/index.ts';
import {
  keptIn,
  LinkageMapField,
  OptionField,
  OptionFields,
  RunDialog,
  type RunFormProps,
  RunNameField,
  runDialog,
  useRunForm,
  useRunSubmission,
} from '../run-dialog/index.ts';
import { CandidatesField } from './candidates-field.tsx';
import { CoancestryFields } from './coancestry-fields.tsx';
import { crossingPlanRuns } from './crossing-plans.api.ts';
import { MadeFields } from './made-fields.tsx';
import { candidatesFromOf, type PlanValues, planBody, planValues, unphasedCandidates } from './plan-form.ts';
import { TraitFields } from './trait-fields.tsx';

export const CreateCrossingPlanModal = runDialog(crossingPlanRuns, PlanCrosses);

function PlanCrosses({ projectId, close, source }: RunFormProps<CrossingPlanDetail>) {
  const { t } = useTranslation();
  const { form, draft, propose, nameOf } = useRunForm(projectId, crossingPlanRuns, {
    ...{ options: PLAN_OPTIONS, source, valuesOf: planValues },
  });
  const onlyModel = useOnlyModel(projectId, 'effects');
  const values = { ...form.values, model_id: form.values.model_id ?? onlyModel };
  const model = useQuery({
    ...modelRuns.detail(projectId, values.model_id?.id ?? ''),
    enabled: values.model_id !== undefined,
  });
  const traits = model.data?.traits ?? [];
  const isSingleStep = model.data?.provenance.parameters.single_step === true;
  const withMarkers = candidatesFromOf(values) === 'genotype';
  // Without a genotype of their own, candidates are plants as those of the model.
  const genotypeId = (withMarkers ? values.genotype_id?.id : undefined) ?? model.data?.genotype_id ?? undefined;
  const genotype = useQuery({ ...fileQuery(projectId, genotypeId ?? ''), enabled: genotypeId !== undefined });
  const ploidy = genotype.data?.ploidy ?? 2;
  const matchBody =
    values.model_id && genotypeId && withMarkers
      ? { model_id: values.model_id.id, genotype_id: genotypeId }
      : undefined;
  const withoutPhase = useCandidatePhase(projectId, matchBody, values, {
    propose,
    ploidy,
    isNew: source === undefined,
  });
  const lowTraits = useLowTraits(projectId, model.data?.traits);
  useEffect(() => {
    if (source === undefined && lowTraits && form.values.low_traits.length === 0) propose({ low_traits: lowTraits });
  }, [lowTraits]);
  useGiven(projectId, source === undefined, propose);
  const proposal = nameOf(values.model_id?.name, genotype.data?.name);
  const submission = useRunSubmission(projectId, crossingPlanRuns, { form, draft }, () =>
    planBody(values, traits, genotype.data?.ploidy ?? undefined),
  );
  const missing = (): string | undefined => {
    if (values.name.trim() === '') return t('form.nameRequired');
    if (!values.model_id) return t('word.chooseAModel');
    if (withMarkers && model.data && !genotypeId) return t('predictions.needGenotype');
    if (withoutPhase > 0) return t('crossing_plans.needPhase', { count: withoutPhase });
    if (!form.isValid()) return t('form.correctNumbers');
    return undefined;
  };
  return (
    <RunDialog
      kind="crossing_plan"
      help="crossing#plan-crosses"
      close={close}
      submission={submission}
      draft={draft}
      kept={keptIn(form)}
      missing={missing()}
      match={
        <MatchPanel
          title={t('match.markersTitle')}
          projectId={projectId}
          body={matchBody}
          renames={[]}
          onRenames={() => {}}
          hint={t(withMarkers ? 'predictions.matchHint' : 'crossing_plans.noMarkersHint')}
        />
      }
    >
      <RunNameField kind="crossing_plan" input={form.getInputProps('name')} proposal={proposal} propose={propose} />
      <ModelField
        use="effects"
        projectId={projectId}
        value={values.model_id}
        onChange={(chosen) => form.setValues({ model_id: chosen, traits: [], low_traits: [] })}
        error={form.errors.model_id}
      />
      <OptionFields
        {...OPTIONS}
        form={form}
        first={['candidates_from', 'candidates', 'low_traits', 'crosses', 'max_uses', 'population', 'made_from']}
        own={{
          candidates_from: (
            <>
              <CoancestryFields {...{ projectId, form, isSingleStep, ploidy }} />
              {withMarkers && (
                <FileField
                  label={t('crossing_plans.genotype')}
                  projectId={projectId}
                  types={['GENOTYPE']}
                  value={values.genotype_id}
                  onChange={(file) => form.setFieldValue('genotype_id', file)}
                  emptyText={model.data?.genotype_id ? t('predictions.genotypeOfModel') : undefined}
                  error={form.errors['genotype_id']}
                />
              )}
            </>
          ),
          candidates: (
            <CandidatesField
              projectId={projectId}
              everyone={t(withMarkers ? 'crossing_plans.everyone' : 'crossing_plans.everyoneInModel')}
              value={values.candidates}
              onChange={(candidates) => form.setFieldValue('candidates', candidates)}
              error={form.errors['candidates']}
            />
          ),
          low_traits: <TraitFields form={form} traits={traits} />,
          population: withMarkers ? (
            <>
              {ploidy === 2 ? (
                <OptionField {...OPTIONS} name="population" form={form} />
              ) : (
                <PolyploidProgeny form={form} />
              )}
              <LinkageMapField projectId={projectId} form={form} />
            </>
          ) : null,
          made_from: <MadeFields projectId={projectId} form={form} />,
          allow_made: null,
          // They stand below the pedigree.
          ...{ double_reduction: null, founders: null },
        }}
      />
    </RunDialog>
  );
}

/** Begins with the lines of a list and a number of crosses, where the address gives them. */
function useGiven(projectId: string, isNew: boolean, propose: (values: Partial<PlanValues>) => void): void {
  const [id = '', crosses] = useModal().given;
  const list = useQuery({ ...listQuery(projectId, id), enabled: isNew && isUuid(id) }).data;
  useEffect(() => {
    if (list !== undefined) propose({ candidates: { list: list.name, names: list.members } });
  }, [list]);
  useEffect(() => {
    const number = Number(crosses);
    if (isNew && number >= PLAN_OPTIONS.crosses.min && number <= PLAN_OPTIONS.crosses.max) propose({ crosses: number });
  }, [isNew, crosses]);
}

const isUuid = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);

/** Of polyploids the F1 is predicted, or nothing. */
function PolyploidProgeny({ form }: { form: UseFormReturnType<PlanValues> }) {
  const { t } = useTranslation();
  const textOf = useOptionText(OPTIONS.analysis, PLAN_OPTIONS);
  return (
    <NativeSelect
      label={textOf('population', 'label')}
      description={t('crossing_plans.polyploidProgeny')}
      value={form.values.population === '' ? '' : 'F1'}
      error={form.errors['population']}
      onChange={({ currentTarget: { value } }) => form.setFieldValue('population', value === '' ? '' : 'F1')}
      data={[
        { value: 'F1', label: textOf('population', 'labels', 'F1') },
        { value: '', label: textOf('population', 'labels', 'null') },
      ]}
    />
  );
}

const OPTIONS = { analysis: 'crossing_plans', table: PLAN_OPTIONS };

/**
 * Proposes the phased copy of a genotype whose candidates lack phase, and no progeny of polyploids, which are rarely
 * phased. Returns how many lack phase where there is no such copy.
 */
function useCandidatePhase(
  projectId: string,
  matchBody: Parameters<typeof useMatch>[1],
  values: PlanValues,
  { propose, ploidy, isNew }: { propose: (values: Partial<PlanValues>) => void; ploidy: number; isNew: boolean },
): number {
  const phase = useMatch(projectId, matchBody).data?.phase ?? undefined;
  const phased = phase?.phased_sibling ?? undefined;
  const unphased = unphasedCandidates(values, phase?.unphased ?? []).length;
  useEffect(() => {
    if (values.genotype_id === undefined && unphased > 0 && phased) propose({ genotype_id: phased });
  }, [values.genotype_id, unphased > 0, phased?.id]);
  // Once for each genotype: who asks for the F1 after all is told what it needs.
  useEffect(() => {
    if (isNew && ploidy > 2 && unphased > 0 && phased === undefined) propose({ population: '' });
  }, [phase === undefined ? undefined : matchBody?.genotype_id, ploidy]);
  return phased === undefined ? unphased : 0;
}
