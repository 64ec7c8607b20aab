import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../../../components/icons.tsx';
import { hasSingleKeys, isTyping } from '../../../lib/browser/single-keys.ts';
import classes from './search-button.module.css';

const CommandPalette = lazy(() =>
  import('../palette/command-palette.tsx').then((part) => ({ default: part.CommandPalette })),
);
const ShortcutsDialog = lazy(() =>
  import('../shortcuts-dialog.tsx').then((part) => ({ default: part.ShortcutsDialog })),
);

/** Opens the palette, and listens for the keys that work on every page. */
export function SearchButton() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'palette' | 'shortcuts'>();
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (handleShortcut(event, setOpen)) event.preventDefault();
    };
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, []);
  const close = (): void => setOpen(undefined);
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-keyshortcuts="Control+K"
        title={t('word.searchGoToAPageOr')}
        onClick={() => setOpen('palette')}
      >
        <IconSearch size={16} aria-hidden="true" />
        <span className={classes.label}>{t('palette.open')}</span>
        <kbd className={classes.keys} aria-hidden="true">
          Ctrl K
        </kbd>
      </button>
      <Suspense>
        {open === 'palette' && <CommandPalette close={close} showShortcuts={() => setOpen('shortcuts')} />}
        {open === 'shortcuts' && <ShortcutsDialog close={close} />}
      </Suspense>
    </>
  );
}

/** True when the key was one of ours. A dialog or a menu that is open keeps the keys to itself. */
function handleShortcut(event: KeyboardEvent, open: (what: 'palette' | 'shortcuts') => void): boolean {
  if (event.defaultPrevented || event.altKey || document.querySelector('[role=dialog], [role=menu]')) return false;
  const hasControl = event.ctrlKey || event.metaKey;
  if (hasControl && event.key.toLowerCase() === 'k') {
    open('palette');
    return true;
  }
  if (hasControl || !hasSingleKeys() || isTyping(event.target)) return false;
  switch (event.key) {
    case '/': {
      const field = document.querySelector<HTMLElement>('main input[type=search]');
      if (field) field.focus();
      else open('palette');
      return true;
    }
    case '?':
      open('shortcuts');
      return true;
    case 'j':
      return moveInList('ArrowDown');
    case 'k':
      return moveInList('ArrowUp');
    default:
      return false;
  }
}

/** From the row that has the focus as the arrow key does, otherwise to the first row of the page. */
function moveInList(key: 'ArrowDown' | 'ArrowUp'): boolean {
  const here = document.activeElement;
  if (here?.hasAttribute('data-row-opener')) {
    here.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    return true;
  }
  const first = document.querySelector<HTMLElement>('main [data-row-opener]');
  first?.focus();
  return first !== null;
}
