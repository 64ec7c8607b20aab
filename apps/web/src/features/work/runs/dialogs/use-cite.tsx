import type { Citation } from '@heterosis/contracts/work/runs';
import { Button, CopyButton, Menu, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import classes from './script-dialog.module.css';

interface Cited {
  read: (signal: AbortSignal) => Promise<Citation>;
  /** Names the result among others. */
  of: readonly string[];
}

/** The entry of a menu that opens the dialog in which a result is cited, and the dialog. */
export function useCite(cited: Cited): { entry: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return {
    entry: <Menu.Item onClick={() => setOpen(true)}>{t('cite.menu')}</Menu.Item>,
    dialog: isOpen && <CiteDialog {...cited} onClose={() => setOpen(false)} />,
  };
}

/** How a result is cited: text and BibTeX with its lasting address and hash. */
function CiteDialog(props: Cited & { onClose: () => void }) {
  const { t } = useTranslation();
  const citation = useQuery({ queryKey: ['citation', ...props.of], queryFn: ({ signal }) => props.read(signal) });
  return (
    <ModalFrame title={t('cite.title')} help="scripting#cite-a-result" onClose={props.onClose} size="md">
      <div className={classes.parts}>
        <p className="hx-muted">{t('cite.text')}</p>
        {citation.isLoading && <SkeletonLines />}
        {citation.error && <ErrorNotice error={citation.error} onRetry={() => void citation.refetch()} />}
        {citation.data && (
          <>
            <Copied label={t('cite.reference')} text={citation.data.text} />
            <Copied label="BibTeX" text={citation.data.bibtex} />
          </>
        )}
      </div>
    </ModalFrame>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.parts}>
      <Textarea label={label} value={text} readOnly autosize maxRows={10} />
      <div className={classes.buttons}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('word.copied') : t('cite.copy', { what: label })}
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  );
}
