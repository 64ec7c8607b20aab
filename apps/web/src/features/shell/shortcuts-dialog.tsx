import { Checkbox } from '@mantine/core';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../components/dialog/modal-frame.tsx';
import { hasSingleKeys, setSingleKeys } from '../../lib/browser/single-keys.ts';
import classes from './shortcuts-dialog.module.css';

/** Names of the texts, and the keys: of several rows any, of one row all together. */
const SHORTCUTS = [
  ['palette', [['Ctrl', 'K']]],
  ['search', [['/']]],
  ['next', [['j'], ['↓']]],
  ['previous', [['k'], ['↑']]],
  ['openRow', [['Enter']]],
  ['ends', [['Home'], ['End']]],
  ['undo', [['Ctrl', 'Z']]],
  ['paste', [['Ctrl', 'V']]],
  ['escape', [['Esc']]],
  ['help', [['?']]],
] as const;

/** The keys of the application, and the switch of those without Ctrl. */
export function ShortcutsDialog({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const [isOn, setOn] = useState(hasSingleKeys);
  return (
    <ModalFrame title={t('shortcuts.title')} onClose={close} help="keyboard#keys" unsaved={{ isDirty: false }}>
      <table className={classes.table}>
        <thead className="hx-visually-hidden">
          <tr>
            <th scope="col">{t('shortcuts.does')}</th>
            <th scope="col">{t('shortcuts.keys')}</th>
          </tr>
        </thead>
        <tbody>
          {SHORTCUTS.map(([name, choices]) => (
            <tr key={name}>
              <td>{t(`shortcuts.${name}`)}</td>
              <td className={classes.keys}>
                {choices.map((together: readonly string[], index) => (
                  <Fragment key={together.join('+')}>
                    {index > 0 && ` ${t('shortcuts.or')} `}
                    {together.map((key) => (
                      <kbd key={key} className={classes.key}>
                        {key}
                      </kbd>
                    ))}
                  </Fragment>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        label={t('shortcuts.single')}
        description={t('shortcuts.singleHint')}
        checked={isOn}
        onChange={(event) => {
          setOn(event.currentTarget.checked);
          setSingleKeys(event.currentTarget.checked);
        }}
      />
    </ModalFrame>
  );
}
