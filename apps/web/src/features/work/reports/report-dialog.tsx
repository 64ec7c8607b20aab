import type { Paper } from '@heterosis/contracts/common';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { asProblem } from '../../../lib/api/problem.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { usePaper } from '../../people/accounts/index.ts';
import { PaperSelect } from './paper-select.tsx';

export interface ReportedThing {
  /** Of the thing, and of the file unless the server names it. */
  name: string;
  print: (page: Paper) => Promise<Response>;
}

/** Asks for the paper and saves the report as PDF. */
export function ReportDialog({ name, print, onClose }: ReportedThing & { onClose: () => void }) {
  const { t } = useTranslation();
  const kept = usePaper();
  const [chosen, setChosen] = useState<Paper>();
  const paper = chosen ?? kept.paper;
  const report = useMutation({
    mutationFn: async () => {
      await downloadAnswer(await print(paper), `${name}.pdf`);
      if (paper !== kept.paper) await kept.keep(paper);
    },
    onSuccess: onClose,
  });
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    report.mutate();
  };
  return (
    <ModalFrame
      title={t('report.title', { name })}
      help="sharing#print-a-report"
      onClose={onClose}
      busy={report.isPending}
      unsaved={{ isDirty: false }}
    >
      <form className={formClasses.form} onSubmit={handleSubmit}>
        <p>{t('report.about')}</p>
        <PaperSelect paper={paper} onChange={setChosen} />
        <FormFooter
          submitLabel={t('report.make')}
          isPending={report.isPending}
          problem={report.error ? asProblem(report.error) : undefined}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}
