import { type AnyRouter, useNavigate, useRouter, useSearch } from '@tanstack/react-router';

/** SPEC §2 "Modals", as they stand in the `modal` search param. */
const MODAL_NAMES = [
  'add-crop',
  'add-folder',
  'add-project',
  'bin',
  'confirm-send-email',
  'create-crossing-simulation',
  'create-gwas',
  'create-model',
  'create-org',
  'create-prediction',
  'download-spec-file',
  'export-file',
  'invitation-box',
  'name-registration',
  'not-exist-user',
  'phasing',
  'replace-file',
  'sent-message',
  'update-crop',
  'update-crossing-simulation',
  'update-file',
  'update-folder',
  'update-gwas',
  'update-model',
  'update-org',
  'update-prediction',
  'update-project',
  'upload-files',
] as const;
export type ModalName = (typeof MODAL_NAMES)[number];

/** What every modal gets: how to close it, and the id it was opened for (`modal_id`). */
export interface ModalProps {
  /** Resolves once it has gone. */
  close: () => Promise<void>;
  id: string | undefined;
}

export interface ModalControl {
  /** The one open modal. */
  current: ModalName | undefined;
  id: string | undefined;
  open: (name: ModalName, id?: string) => void;
  close: () => Promise<void>;
}

/** One modal or none: its name is in the address, so Back closes it and a reload keeps it. */
export function useModal(): ModalControl {
  const navigate = useNavigate();
  const router = useRouter();
  const search = useSearch({ strict: false });
  const current = MODAL_NAMES.find((name) => name === search.modal);
  return {
    current,
    id: current === undefined ? undefined : search.modal_id,
    open: (name, id) =>
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, modal: name, modal_id: id }),
        state: { openedModal: true },
        replace: current !== undefined,
        resetScroll: false,
      }),
    close: () => {
      if (router.state.location.state.openedModal) return goBack(router);
      return navigate({
        to: '.',
        search: (previous) => ({ ...previous, modal: undefined, modal_id: undefined }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}

/** The step back that is under way: going back takes a moment, in which a second click would leave the page as well. */
let leaving: Promise<void> | undefined;

function goBack(router: AnyRouter): Promise<void> {
  leaving ??= new Promise<void>((resolve) => {
    const stop = router.subscribe('onResolved', () => {
      stop();
      leaving = undefined;
      resolve();
    });
    router.history.back();
  });
  return leaving;
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** The entry before this one is the same page without the modal. */
    openedModal?: boolean;
  }
}
