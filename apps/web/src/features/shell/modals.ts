import { type RunKind, runKinds } from '@heterosis/contracts/run-kinds';
import { type ComponentType, createElement, lazy } from 'react';
import { useProjectId } from '../../lib/current.ts';
import type { ModalName, ModalProps } from '../../lib/modal.ts';
import { type RunModalName, updateModalOf } from '../../lib/run-kinds.ts';

type Modal = ComponentType<ModalProps>;

/** Each modal is a chunk of its own, loaded when it is first opened. */
const modal = <Part extends Record<Name, Modal>, Name extends string>(load: () => Promise<Part>, name: Name): Modal =>
  lazy(async () => ({ default: (await load())[name] as Modal }));

/** A modal about a project: on a page of no project its name in the address opens nothing. */
const projectModal = <Part extends Record<Name, Modal>, Name extends string>(load: () => Promise<Part>, name: Name) =>
  inProject(modal(load, name));

function inProject(Inner: Modal): Modal {
  return function ProjectModal(props) {
    return useProjectId() === undefined ? null : createElement(Inner, props);
  };
}

/** The one modal that renames runs, under the name that each kind has for it. */
const renameModals = Object.fromEntries(
  runKinds.map((kind) => [updateModalOf(kind), inProject(renameModal(kind))]),
) as Record<RunModalName<'update'>, Modal>;

function renameModal(kind: RunKind): Modal {
  return lazy(async () => {
    const { RenameRunModal } = await import('../runs/rename-run-modal.tsx');
    return { default: (props: ModalProps) => createElement(RenameRunModal, { ...props, kind }) };
  });
}

export const MODALS: Record<ModalName, Modal> = {
  'add-credit-card': modal(() => import('../billing/add-credit-card-modal.tsx'), 'AddCreditCardModal'),
  'add-crop': modal(() => import('../crops/add-crop-modal.tsx'), 'AddCropModal'),
  'add-project': modal(() => import('../projects/add-project-modal.tsx'), 'AddProjectModal'),
  invitation: modal(() => import('../projects/invitation-modal.tsx'), 'InvitationModal'),
  'confirm-send-email': modal(() => import('../auth/confirm-send-email-modal.tsx'), 'ConfirmSendEmailModal'),
  'create-org': modal(() => import('../organizations/create-org-modal.tsx'), 'CreateOrgModal'),
  'invitation-box': modal(() => import('../invitations/invitation-box-modal.tsx'), 'InvitationBoxModal'),
  'invitation-org': modal(() => import('../organizations/invitation-org-modal.tsx'), 'InvitationOrgModal'),
  'name-registration': modal(() => import('../accounts/name-registration-modal.tsx'), 'NameRegistrationModal'),
  'not-exist-user': modal(() => import('../auth/not-exist-user-modal.tsx'), 'NotExistUserModal'),
  'sent-message': modal(() => import('../auth/sent-message-modal.tsx'), 'SentMessageModal'),
  'update-crop': modal(() => import('../crops/update-crop-modal.tsx'), 'UpdateCropModal'),
  'map-germplasm-columns': modal(
    () => import('../germplasm/review/map-germplasm-columns-modal.tsx'),
    'MapGermplasmColumnsModal',
  ),
  'upload-germplasm': modal(() => import('../germplasm/upload-germplasm-modal.tsx'), 'UploadGermplasmModal'),
  'update-org': modal(() => import('../organizations/update-org-modal.tsx'), 'UpdateOrgModal'),
  'update-plan': modal(() => import('../billing/update-plan-modal.tsx'), 'UpdatePlanModal'),
  'update-project': modal(() => import('../projects/update-project-modal.tsx'), 'UpdateProjectModal'),

  'trait-settings': projectModal(() => import('../projects/trait-settings-modal.tsx'), 'TraitSettingsModal'),
  'compare-gwas': projectModal(() => import('../gwas/compare-gwas-modal.tsx'), 'CompareGwasModal'),
  'compare-models': projectModal(() => import('../models/compare-models-modal.tsx'), 'CompareModelsModal'),
  bin: projectModal(() => import('../bin/bin-modal.tsx'), 'BinModal'),
  'brapi-import': projectModal(() => import('../files/brapi/brapi-import-modal.tsx'), 'BrapiImportModal'),
  'add-folder': projectModal(() => import('../files/dialogs/add-folder-modal.tsx'), 'AddFolderModal'),
  'download-spec-file': projectModal(
    () => import('../files/dialogs/download-spec-file-modal.tsx'),
    'DownloadSpecFileModal',
  ),
  'export-file': projectModal(() => import('../files/dialogs/export-file-modal.tsx'), 'ExportFileModal'),
  'convert-file': projectModal(() => import('../files/dialogs/convert-file-modal.tsx'), 'ConvertFileModal'),
  'map-columns': projectModal(() => import('../files/check/map-columns-modal.tsx'), 'MapColumnsModal'),
  hybrids: projectModal(() => import('../files/derivations/hybrids-modal.tsx'), 'HybridsModal'),
  phasing: projectModal(() => import('../files/derivations/phasing-modal.tsx'), 'PhasingModal'),
  'replace-file': projectModal(() => import('../files/upload/replace-file-modal.tsx'), 'ReplaceFileModal'),
  'update-file': projectModal(() => import('../files/dialogs/update-file-modal.tsx'), 'UpdateFileModal'),
  'update-folder': projectModal(() => import('../files/dialogs/update-folder-modal.tsx'), 'UpdateFolderModal'),
  'upload-files': projectModal(() => import('../files/upload/upload-files-modal.tsx'), 'UploadFilesModal'),

  'create-crossing-plan': projectModal(
    () => import('../crossing-plans/create-crossing-plan-modal.tsx'),
    'CreateCrossingPlanModal',
  ),
  'create-crossing-simulation': projectModal(
    () => import('../crossing-simulations/create-crossing-simulation-modal.tsx'),
    'CreateCrossingSimulationModal',
  ),
  'create-gwas': projectModal(() => import('../gwas/create-gwas-modal.tsx'), 'CreateGwasModal'),
  'create-model': projectModal(() => import('../models/create-model-modal.tsx'), 'CreateModelModal'),
  'create-parentage-check': projectModal(
    () => import('../parentage-checks/create-parentage-check-modal.tsx'),
    'CreateParentageCheckModal',
  ),
  'create-prediction': projectModal(
    () => import('../predictions/create-prediction-modal.tsx'),
    'CreatePredictionModal',
  ),
  ...renameModals,
};
