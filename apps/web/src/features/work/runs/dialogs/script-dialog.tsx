import clients from 'virtual:clients';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import { type RepeatableRun, requestOfRun } from '@heterosis/contracts/work/run-request';
import { runScript, SCRIPT_LANGUAGES, type ScriptLanguage } from '@heterosis/contracts/work/run-scripts';
import { Button, CopyButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { TabStrip } from '../../../../components/page/tab-strip.tsx';
import { downloadText } from '../../../../lib/browser/download.ts';
import { againName } from '../../../../lib/format/again-name.ts';
import classes from './script-dialog.module.css';

interface RepeatedRun {
  projectId: string;
  view: { kind: RunKind; body: z.ZodObject };
  /** Commands that do the same without a server, where there are some. */
  commands: string | undefined;
  run: RepeatableRun & { name: string };
}

/** What the file of a script is called, and the client that it needs beside it. */
const FILES: Record<ScriptLanguage | 'commands', { script: string; client?: { name: string; text: string } }> = {
  r: { script: 'repeat.R', client: { name: 'heterosis.R', text: clients.r } },
  python: { script: 'repeat.py', client: { name: 'heterosis.py', text: clients.python } },
  shell: { script: 'repeat.sh' },
  commands: { script: 'commands.sh' },
};

/** Scripts that repeat a run, in the languages that people write in. */
export function ScriptDialog({ onClose, ...repeated }: RepeatedRun & { onClose: () => void }) {
  const { t } = useTranslation();
  const { projectId, view, run, commands } = repeated;
  const { kind } = view;
  const { body, gone } = requestOfRun(view.body, run, againName(run.name, t));
  const server = window.location.origin;
  const scripted = { kind, name: run.name, projectId, server, body };
  return (
    <ModalFrame title={t('runs.script.title')} help="scripting#repeat-a-run" onClose={onClose} size="48rem">
      {gone.length > 0 ? (
        <Notice kind="warning">{t('runs.script.gone', { inputs: gone.join(', ').replaceAll('_', ' ') })}</Notice>
      ) : (
        <TabStrip
          label={t('runs.script.language')}
          tabs={[
            ...SCRIPT_LANGUAGES.map((language) => ({
              id: language,
              label: t(`runs.script.languages.${language}`),
              content: <Script language={language} text={runScript(language, scripted)} />,
            })),
            ...(commands === undefined
              ? []
              : [
                  {
                    id: 'commands',
                    label: t('runs.script.languages.commands'),
                    content: <Script language="commands" text={commands} />,
                  },
                ]),
          ]}
        />
      )}
    </ModalFrame>
  );
}

function Script({ language, text }: { language: keyof typeof FILES; text: string }) {
  const { t } = useTranslation();
  const { script, client } = FILES[language];
  return (
    <div className={classes.parts}>
      <p>{t(language === 'commands' ? 'runs.script.commandsNote' : 'runs.script.note')}</p>
      <div className={classes.buttons}>
        {/* Browsers keep the clipboard from pages without TLS. */}
        {window.isSecureContext && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="xs" onClick={copy} data-autofocus>
                {t(copied ? 'word.copied' : 'runs.script.copy')}
              </Button>
            )}
          </CopyButton>
        )}
        <Button size="xs" variant="default" onClick={() => downloadText(script, text, PLAIN)}>
          {t('runs.script.download', { name: script })}
        </Button>
        {client && (
          <Button size="xs" variant="default" onClick={() => downloadText(client.name, client.text, PLAIN)}>
            {t('runs.script.download', { name: client.name })}
          </Button>
        )}
      </div>
      <pre className={`hx-mono ${classes.code}`} tabIndex={0} role="group" aria-label={t('runs.script.code')}>
        {text}
      </pre>
    </div>
  );
}

const PLAIN = 'text/plain;charset=utf-8';
