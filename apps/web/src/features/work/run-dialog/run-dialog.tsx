import { isAsked, type Options } from '@heterosis/contracts/options/define-options';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import classes from '../../../components/form/form-columns.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { filesNamedBy, type NamedFiles } from '../../../lib/browser/named-files.ts';
import type { Submission } from '../../../lib/form/form.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { FileField } from '../../data/files/index.ts';
import { InputMatchPanel } from '../matching/index.ts';
import { type Runs, useParameterRows } from '../runs/index.ts';
import { RunNameField } from './run-name-field.tsx';
import { TraitChooser } from './trait-chooser.tsx';
import type { Draft } from './use-draft.ts';
import type { RunInputs } from './use-run-inputs.ts';

const WIDTH = '56rem';

/**
 * Reads the settings of the run `id` that is repeated with changes; without `id`, or when it names the files to begin
 * with, there is nothing to read.
 */
export function WithSource<Item, Detail>(props: {
  runs: Pick<Runs<Item, Detail, never>, 'kind' | 'detail'>;
  close: () => void;
  id: string | undefined;
  children: (projectId: string, source: Detail | undefined, named: NamedFiles) => ReactNode;
}) {
  const { runs } = props;
  const named = filesNamedBy(props.id);
  const id = named === undefined ? props.id : undefined;
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const { data, error } = useQuery({ ...runs.detail(projectId, id ?? ''), enabled: id !== undefined });
  if (id === undefined || data !== undefined)
    return props.children(projectId, id === undefined ? undefined : data, named ?? {});
  return (
    <ModalFrame title={t(`${RUN_KINDS[runs.kind].path}.create`)} onClose={props.close} size={WIDTH}>
      {error ? <ErrorNotice error={error} /> : <SkeletonLines lines={8} />}
    </ModalFrame>
  );
}

/** What the form of a dialog that starts a run is given. */
export interface RunFormProps<Detail> {
  projectId: string;
  close: () => void;
  source: Detail | undefined;
  named: NamedFiles;
}

/** The dialog of a kind. Its `id` names a run that is repeated with changes, or the files to begin with. */
export function runDialog<Item, Detail>(
  runs: Pick<Runs<Item, Detail, never>, 'kind' | 'detail'>,
  Form: ComponentType<RunFormProps<Detail>>,
): ComponentType<ModalProps> {
  return ({ close, id }) => (
    <WithSource runs={runs} close={close} id={id}>
      {(projectId, source, named) => <Form {...{ projectId, close, source, named }} />}
    </WithSource>
  );
}

interface DialogProps {
  kind: RunKind;
  close: () => void;
  submission: Pick<Submission<Record<string, unknown>>, 'handleSubmit' | 'isPending' | 'problem'>;
  help: string;
  draft: Draft;
  /** What is still missing, as a sentence. */
  missing: string | undefined;
  /** Where the action does more than the title of the dialog says. */
  submitLabel?: string | undefined;
  /** The name and the files. */
  files?: ReactNode;
  match: ReactNode;
  /** What a run that is repeated was asked for and no field shows, and how to do without it. */
  kept?: { values: Readonly<Record<string, unknown>>; forget: () => void };
  children: ReactNode;
}

/**
 * A dialog that starts a run: fields on the left, how the names match on the right, and why it cannot start yet. On a
 * phone the match is below the files.
 */
export function RunDialog(props: DialogProps) {
  const { close, submission, draft } = props;
  const { t } = useTranslation();
  const title = t(`${RUN_KINDS[props.kind].path}.create`);
  return (
    <ModalFrame
      title={title}
      onClose={close}
      size={WIDTH}
      busy={submission.isPending}
      help={props.help}
      unsaved={{ isDirty: draft.isDirty, discard: draft.drop, isKept: true }}
    >
      {draft.isRestored && draft.isDirty && (
        <Notice>
          {t('runs.draftRestored')}{' '}
          <Button size="compact-xs" variant="subtle" onClick={draft.startAfresh}>
            {t('runs.startAfresh')}
          </Button>
        </Notice>
      )}
      <form onSubmit={submission.handleSubmit} noValidate>
        <div className={classes.columns}>
          {props.files && <div className={classes.fields}>{props.files}</div>}
          {props.files && <div className={classes.match}>{props.match}</div>}
          <div className={classes.fields}>
            {props.children}
            {props.kept && <KeptNote kind={props.kind} {...props.kept} />}
          </div>
          {!props.files && <div className={classes.match}>{props.match}</div>}
        </div>
        <FormFooter
          submitLabel={props.submitLabel ?? title}
          isPending={submission.isPending}
          problem={submission.problem}
          disabledReason={props.missing}
          onCancel={close}
        />
      </form>
    </ModalFrame>
  );
}

/** What a form keeps of the run that is repeated, for the dialog. */
export const keptIn = (form: {
  values: { kept: Record<string, unknown> };
  setFieldValue: (name: 'kept', value: Record<string, unknown>) => void;
}): NonNullable<DialogProps['kept']> => ({
  values: form.values.kept,
  forget: () => form.setFieldValue('kept', {}),
});

/** What is asked for again although no field shows it. */
function KeptNote({ kind, values, forget }: { kind: RunKind } & NonNullable<DialogProps['kept']>) {
  const { t } = useTranslation();
  const table: Options = RUN_CONTRACTS[RUN_KINDS[kind].path].options;
  const asked = Object.entries(values).filter(([name, value]) => isAsked(table[name], value) && !isEmpty(value));
  const rows = useParameterRows(kind)(Object.fromEntries(asked));
  if (rows.length === 0) return null;
  return (
    <Notice kind="info">
      {t('runs.kept')} {rows.map(([name, value]) => `${name} ${value}`).join('; ')}.{' '}
      <Button size="compact-xs" variant="subtle" onClick={forget}>
        {t('runs.forgetKept')}
      </Button>
    </Notice>
  );
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Name, genotype and phenotype: what a training and an association study ask for alike. */
function RunFileFields(props: { projectId: string; kind: RunKind; inputs: RunInputs }) {
  const { projectId, inputs } = props;
  const { form } = inputs;
  const { t } = useTranslation();
  return (
    <>
      <RunNameField kind={props.kind} input={form.getInputProps('name')} {...inputs.name} />
      <FileField
        label={t('word.genotypeFile')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={form.values.genotype_id}
        onChange={inputs.chooseGenotype}
        error={form.errors.genotype_id}
      />
      <FileField
        label={t('runs.phenotype')}
        projectId={projectId}
        types={['PHENOTYPE']}
        value={form.values.phenotype_id}
        onChange={inputs.choosePhenotype}
        error={form.errors.phenotype_id}
      />
    </>
  );
}

/**
 * The dialog of a kind that analyses traits of a phenotype file: the files, how their names match, what the run will
 * take, and the traits.
 */
export function TraitRunDialog(
  props: Omit<DialogProps, 'missing' | 'files' | 'match'> & {
    projectId: string;
    inputs: RunInputs;
    isCorrect: boolean;
    estimate: ReactNode;
  },
) {
  const { projectId, inputs, isCorrect, estimate, children, ...dialog } = props;
  const { t } = useTranslation();
  return (
    <RunDialog
      {...dialog}
      missing={inputs.missing ?? (isCorrect ? undefined : t('form.correctFields'))}
      files={<RunFileFields projectId={projectId} kind={dialog.kind} inputs={inputs} />}
      match={
        <Stack gap="sm" miw={0} justify="flex-start">
          <InputMatchPanel projectId={projectId} inputs={inputs} />
          {estimate}
        </Stack>
      }
    >
      <RunTraitsField inputs={inputs} />
      {children}
    </RunDialog>
  );
}

/** The traits that a training and an association study take. */
function RunTraitsField({ inputs }: { inputs: RunInputs }) {
  const { form } = inputs;
  return (
    <TraitChooser
      traits={inputs.availableTraits}
      selected={form.values.traits}
      onChange={(traits) => form.setFieldValue('traits', traits)}
      counts={inputs.match?.by_trait}
      emptyText={inputs.noTraits}
      error={form.errors.traits}
    />
  );
}
