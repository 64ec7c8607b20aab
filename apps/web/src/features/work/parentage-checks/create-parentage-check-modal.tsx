import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import type { ParentageCheckDetail } from '@heterosis/contracts/work/parentage-checks';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { FileField, usePloidy, useProposedFile } from '../../data/files/index.ts';
import {
  keptIn,
  OptionField,
  OptionFields,
  RunDialog,
  type RunFormProps,
  RunNameField,
  runDialog,
  useRunForm,
  useRunSubmission,
} from '../run-dialog/index.ts';
import { checkBody, checkValues } from './check-form.ts';
import classes from './create-parentage-check-modal.module.css';
import { parentageCheckRuns } from './parentage-checks.api.ts';

export const CreateParentageCheckModal = runDialog(parentageCheckRuns, CheckParentage);

function CheckParentage({ projectId, close, source, named }: RunFormProps<ParentageCheckDetail>) {
  const { t } = useTranslation();
  const { form, draft, propose, taken, nameOf } = useRunForm(projectId, parentageCheckRuns, {
    ...{ options: PARENTAGE_OPTIONS, source, about: named.genotype, valuesOf: checkValues },
  });
  const { values } = form;
  const genotype = values.genotype_id;
  const likely = useProposedFile(projectId, 'GENOTYPE', taken[0]?.genotype_id, named.genotype);
  useEffect(() => {
    if (likely && !genotype && source === undefined) propose({ genotype_id: { id: likely.id, name: likely.name } });
  }, [likely?.id]);
  const proposal = nameOf(
    genotype === undefined ? undefined : t('parentage_checks.proposedName', { genotype: genotype.name }),
  );
  const ploidy = usePloidy(projectId, genotype?.id);
  const submission = useRunSubmission(projectId, parentageCheckRuns, { form, draft }, (checked) =>
    checkBody(checked, ploidy),
  );
  const missing = (): string | undefined => {
    if (values.name.trim() === '') return t('form.nameRequired');
    if (!genotype) return t('word.chooseAGenotypeFile');
    if (values.pedigree === 'file' && !values.pedigree_id) return t('parentage_checks.needPedigree');
    return form.isValid() ? undefined : t('form.correctNumbers');
  };
  return (
    <RunDialog
      kind="parentage_check"
      help="pedigree#check"
      close={close}
      submission={submission}
      draft={draft}
      kept={keptIn(form)}
      missing={missing()}
      match={<CheckHint />}
    >
      <RunNameField kind="parentage_check" input={form.getInputProps('name')} proposal={proposal} propose={propose} />
      <FileField
        label={t('word.genotypeFile')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={genotype}
        onChange={(file) => form.setFieldValue('genotype_id', { id: file.id, name: file.name })}
        error={form.errors.genotype_id}
      />
      <OptionFields
        analysis="parentage_checks"
        table={PARENTAGE_OPTIONS}
        form={form}
        own={{
          ...(ploidy === 2 ? { double_reduction: null } : {}),
          pedigree: (
            <>
              <OptionField analysis="parentage_checks" table={PARENTAGE_OPTIONS} name="pedigree" form={form} />
              {values.pedigree === 'file' && (
                <FileField
                  label={t('parentage_checks.pedigree')}
                  projectId={projectId}
                  types={['PEDIGREE']}
                  value={values.pedigree_id}
                  onChange={(file) => form.setFieldValue('pedigree_id', { id: file.id, name: file.name })}
                  error={form.errors.pedigree_id}
                />
              )}
            </>
          ),
        }}
      />
    </RunDialog>
  );
}

/** What will be found, where other dialogs show how names match. */
function CheckHint() {
  const { t } = useTranslation();
  return (
    <section className={classes.finds} aria-label={t('parentage_checks.finds')}>
      <h3>{t('parentage_checks.finds')}</h3>
      <ul>
        {(['conflicts', 'swaps', 'copies', 'parents'] as const).map((what) => (
          <li key={what}>{t(`parentage_checks.findings.${what}`)}</li>
        ))}
      </ul>
    </section>
  );
}
