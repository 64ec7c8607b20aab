import { type AnyRouter, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { RUN_MODAL_NAMES, type RunModalName } from './run-kinds.ts';

/** Names of the modals that belong to no kind of run, as they appear in the `modal` search param. */
const OTHER_MODAL_NAMES = [
  'add-credit-card',
  'add-crop',
  'add-folder',
  'add-project',
  'bin',
  'brapi-import',
  'compare-gwas',
  'compare-models',
  'compare-trial-analyses',
  'confirm-send-email',
  'convert-file',
  'create-decision',
  'create-org',
  'data-package',
  'download-spec-file',
  'export-file',
  'hybrids',
  'invitation',
  'invitation-box',
  'invitation-org',
  'map-columns',
  'map-germplasm-columns',
  'name-registration',
  'not-exist-user',
  'open-trials',
  'organization-package',
  'phasing',
  'replace-file',
  'sent-message',
  'trait-settings',
  'upload-germplasm',
  'update-crop',
  'update-file',
  'update-folder',
  'update-org',
  'update-plan',
  'update-project',
  'upload-files',
] as const;
export type ModalName = (typeof OTHER_MODAL_NAMES)[number] | RunModalName;

const MODAL_NAMES: readonly ModalName[] = [...OTHER_MODAL_NAMES, ...RUN_MODAL_NAMES];

/** What every modal gets: how to close it, and the id it was opened for (`modal_id`). */
export interface ModalProps {
  /** Resolves once the modal is gone. */
  close: () => Promise<void>;
  id: string | undefined;
}

/** A modal about one thing, which its id names. */
export type ModalAboutProps = ModalProps & { id: string };

export interface ModalControl {
  /** The one open modal. */
  current: ModalName | undefined;
  id: string | undefined;
  /** Names that the dialog begins with besides; empty for nearly all. */
  given: readonly string[];
  /** `madeFor` names the step of a plan that what is made is for: made-for.ts. */
  open: (name: ModalName, id?: string, given?: readonly string[], madeFor?: string) => void;
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
    given: current === undefined ? [] : (search.given ?? '').split('\n').filter((one) => one !== ''),
    open: (name, id, given, madeFor) =>
      void navigate({
        to: '.',
        search: (previous) => ({
          ...previous,
          modal: name,
          modal_id: id,
          given: given?.join('\n'),
          made_for: madeFor,
        }),
        state: { openedModal: true },
        replace: current !== undefined,
        resetScroll: false,
      }),
    close: () => {
      if (router.state.location.state.openedModal) return goBack(router);
      return navigate({
        to: '.',
        search: (previous) => ({
          ...previous,
          modal: undefined,
          modal_id: undefined,
          given: undefined,
          made_for: undefined,
        }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}

/** Going back takes a moment; a second click in that moment must not leave the page as well. */
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
