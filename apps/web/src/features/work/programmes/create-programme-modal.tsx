import { createProgrammeBody, type ProgrammeDetail, QTL_EFFECTS } from '@heterosis/contracts/work/programmes';
import { searchProblems } from '@heterosis/contracts/work/programmes/programme-optimum';
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import columns from '../../../components/form/form-columns.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { NumberField } from '../../../components/form/number-field.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { numberOf } from '../../../lib/form/field-number.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { FileField } from '../../data/files/index.ts';
import { ModelField } from '../models/index.ts';
import { LinkageMapField, type RunFormProps, RunNameField, runDialog, useRunSubmission } from '../run-dialog/index.ts';
import { FoundersField } from './founders-field.tsx';
import { programmeRuns } from './programmes.api.ts';
import { SchemeEditor } from './scheme-editor.tsx';
import { lacksMarker } from './scheme-form.ts';
import { SearchEditor } from './search-editor.tsx';
import { genotypeOf, LIMITS, type ProgrammeForm, programmeBody, useProgrammeForm } from './use-programme-form.ts';

const WIDTH = '80rem';

export const CreateProgrammeModal = runDialog(programmeRuns, SimulateProgramme);

function SimulateProgramme({ projectId, close, source }: RunFormProps<ProgrammeDetail>) {
  const { t } = useTranslation();
  const programme = useProgrammeForm(projectId, source);
  const { form, draft, traits, trait } = programme;
  const [isUnclear, setUnclear] = useState(false);
  const submission = useRunSubmission(projectId, programmeRuns, { form, draft }, (values) =>
    programmeBody({ ...values, trait }, traits, programme.search),
  );
  return (
    <ModalFrame
      title={t('programmes.create')}
      onClose={close}
      size={WIDTH}
      busy={submission.isPending}
      help="programmes#on-the-server"
      unsaved={{ isDirty: draft.isDirty, discard: draft.drop, isKept: true }}
    >
      <form onSubmit={submission.handleSubmit} noValidate>
        <div className={columns.columns}>
          <div className={columns.fields}>
            <RunNameField kind="programme" input={form.getInputProps('name')} {...programme.name} />
            <FileField
              label={t('programmes.founders')}
              projectId={projectId}
              types={['GENOTYPE']}
              value={form.values.genotype_id}
              onChange={({ id, name }) => {
                form.setFieldValue('genotype_id', { id, name });
                form.setFieldValue('founders', null);
              }}
              error={form.errors.genotype_id}
            />
            <FoundersField
              projectId={projectId}
              known={programme.lines}
              value={form.values.founders}
              onChange={(founders) => form.setFieldValue('founders', founders)}
            />
            <LinkageMapField projectId={projectId} form={form} />
            {form.values.linkage_map_id === undefined && (
              <NumberField
                label={t('programmes.bpPerCm')}
                limits={LIMITS.bp_per_cm}
                step={100_000}
                {...form.getInputProps('bp_per_cm')}
              />
            )}
          </div>
          <div className={columns.match}>
            <Truth projectId={projectId} programme={programme} />
          </div>
        </div>
        {programme.failure && <ErrorNotice error={programme.failure} />}
        <SchemeEditor programme={programme} onUnclear={setUnclear} />
        <SearchEditor programme={programme} />
        <FormFooter
          submitLabel={t('programmes.create')}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={missingIn(programme, t) ?? (isUnclear ? t('form.correctNumbers') : undefined)}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

/** Where true effects come from. */
function Truth({ projectId, programme }: { projectId: string; programme: ProgrammeForm }) {
  const { t } = useTranslation();
  const { form, traits, trait } = programme;
  const isDrawn = form.values.truth === 'model';
  return (
    <div className={columns.fields}>
      <SegmentedControl
        fullWidth
        aria-label={t('programmes.truth')}
        data={[
          { value: 'model', label: t('programmes.fromModel') },
          { value: 'architecture', label: t('programmes.fromArchitecture') },
        ]}
        {...form.getInputProps('truth')}
      />
      {isDrawn ? (
        <>
          <ModelField
            use="effects"
            projectId={projectId}
            value={form.values.model_id}
            onChange={(model) => {
              const { id, name } = model;
              form.setValues({ model_id: { id, name }, ...(form.values.genotype_id ? {} : genotypeOf(model)) });
            }}
            error={form.errors.model_id}
          />
          {traits.length > 0 && (
            <NativeSelect
              label={t('programmes.trait')}
              data={traits}
              value={trait}
              onChange={({ currentTarget }) => form.setFieldValue('trait', currentTarget.value)}
            />
          )}
        </>
      ) : (
        <>
          <TextInput label={t('programmes.trait')} maxLength={255} {...form.getInputProps('trait')} />
          <div className={columns.pair}>
            <NumberField label={t('programmes.qtl')} limits={LIMITS.qtl} step={10} {...form.getInputProps('qtl')} />
            <NativeSelect
              label={t('programmes.effects')}
              data={QTL_EFFECTS.map((value) => ({ value, label: t(`programmes.effectsOf.${value}`) }))}
              {...form.getInputProps('effects')}
            />
            <NumberField label={t('programmes.mean')} limits={LIMITS.mean} {...form.getInputProps('mean')} />
            <NumberField
              label={t('programmes.variance')}
              limits={LIMITS.variance}
              step={0.5}
              {...form.getInputProps('variance')}
            />
          </div>
        </>
      )}
    </div>
  );
}

/** Why the simulation cannot start yet, as a sentence. */
function missingIn({ form, sizes, search, material }: ProgrammeForm, t: TFunction): string | undefined {
  const { values } = form;
  if (values.name.trim() === '') return t('form.nameRequired');
  if (!values.genotype_id) return t('predictions.needGenotype');
  if (values.truth === 'model' && !values.model_id) return t('word.chooseAModel');
  if (values.schemes.length === 0) return t('programmes.needScheme');
  const names = values.schemes.map(({ name }) => name.trim());
  if (names.includes('') || new Set(names).size < names.length) return t('programmes.needNames');
  if (!form.isValid()) return t('form.correctNumbers');
  for (const [i, { problems, cost }] of sizes.entries()) {
    const name = values.schemes[i]?.name ?? '';
    const [problem] = problems;
    if (problem !== undefined) return t('programmes.impossible', { name, message: problem.message });
    if (values.schemes.some(lacksMarker)) return t('programmes.needMarker');
    const over = cost.cycle - numberOf(values.budget);
    if (over > 0 && search === null) return t('programmes.overBudget', { name, over: formatCount(Math.ceil(over)) });
  }
  if (values.search === null || values.schemes.length > 1) return undefined;
  if (search === null) return t('programmes.needMoving');
  if (values.budget === '') return t('programmes.needBudget');
  const [scheme] = values.schemes;
  const [wrong] = scheme === undefined ? [] : searchProblems(scheme, search, material?.founders.length ?? null);
  if (wrong !== undefined) return wrong.message;
  const isClear = createProgrammeBody.shape.optimise.safeParse(search).success;
  if (!isClear) return t('form.correctNumbers');
  return undefined;
}
