import { Suspense, useEffect, useRef } from 'react';
import { IsNamedByAddress } from '../../components/dialog/dialog-stack.ts';
import { controlInFocus } from '../../lib/browser/control-in-focus.ts';
import { useModal } from '../../lib/browser/modal.ts';
import { MODALS } from './modals.ts';

/** Shows the modal that the address names, and gives the focus back to where it was when the modal goes. */
export function ModalHost() {
  const modal = useModal();
  const opener = useRef<HTMLElement | null>(null);
  opener.current ??= controlInFocus();

  useEffect(
    () => () => {
      const target = opener.current;
      // What opened the modal may be gone by now; then the page itself gets the focus.
      if (target?.isConnected && target !== document.body) target.focus();
      else document.getElementById('main')?.focus();
    },
    [],
  );

  const Modal = modal.current === undefined ? undefined : MODALS[modal.current];
  if (!Modal) return null;
  return (
    <IsNamedByAddress value={true}>
      <Suspense>
        <Modal key={`${modal.current} ${modal.id}`} id={modal.id} close={modal.close} />
      </Suspense>
    </IsNamedByAddress>
  );
}
