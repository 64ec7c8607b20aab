import { fileFormat } from '@heterosis/contracts/data/file-formats';
import { fileType } from '@heterosis/contracts/data/files';
import { crossType } from '@heterosis/contracts/data/germplasm';
import { existingRule, uploadRowAction, uploadStatus } from '@heterosis/contracts/data/germplasm-uploads';
import {
  clientValues,
  observationOrigin,
  observationState,
  plotKind,
  trialEventType,
  trialState,
} from '@heterosis/contracts/data/trials';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import { PHOTO_TYPES } from '@heterosis/contracts/people/auth';
import { billingState } from '@heterosis/contracts/people/billing';
import { LOGO_TYPES } from '@heterosis/contracts/people/organizations';
import { decisionMarkValue } from '@heterosis/contracts/work/decisions';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';

/** The values that check constraints allow in text columns; `schema.test.ts` compares them with the database. */
export interface CheckedColumn {
  values: readonly string[];
  /** The column has a default. */
  generated?: boolean;
  nullable?: boolean;
}

const ROLES = ['OWNER', 'MANAGER', 'MEMBER'] as const;
const RUN_STATUSES = ['PROCESSING', 'SUCCESS', 'ERROR'] as const;

/** Of the run, or of its traits. */
const STATES_OF_RUNS = Object.fromEntries(
  runKinds.map((kind): [string, CheckedColumn] => {
    const { path, perTrait } = RUN_KINDS[kind];
    return [`${perTrait ? `${kind}_traits` : path}.status`, { values: RUN_STATUSES, generated: true }];
  }),
);

export const CHECKED_COLUMNS: Record<string, CheckedColumn> = {
  ...STATES_OF_RUNS,
  'announced_names.kind': { values: ['PLACE', 'SEASON'] },
  'decisions.state': { values: ['OPEN', 'CLOSED'], generated: true },
  'decision_marks.mark': { values: decisionMarkValue.options },
  'file_problems.severity': { values: ['error', 'warning', 'info'] },
  'files.file_type': { values: fileType.options, nullable: true },
  'files.format': { values: fileFormat.options, nullable: true },
  'files.status': { values: ['UPLOADED', 'CHECKING', 'READY', 'READY_WITH_WARNINGS', 'INVALID'], generated: true },
  'germplasm.cross_type': { values: crossType.options, nullable: true },
  'germplasm_changes.kind': { values: ['MERGE', 'DELETE'] },
  'germplasm_upload_rows.action': { values: uploadRowAction.options },
  'germplasm_upload_rows.severity': { values: ['error', 'warning', 'info'], nullable: true },
  'germplasm_uploads.existing': { values: existingRule.options, generated: true },
  'germplasm_uploads.status': { values: uploadStatus.options, generated: true },
  'gwas.test': { values: ['LRT', 'WALD', 'SCORE'] },
  'invitations.role': { values: ['MANAGER', 'MEMBER'] },
  'mail_outbox.state': { values: ['STORED', 'SENDING', 'SENT', 'FAILED'], generated: true },
  'model_traits.status': { values: ['TRAINING', 'TRAINED', 'EVALUATING', 'EVALUATED', 'ERROR'], generated: true },
  'models.model_type': { values: MODEL_OPTIONS.model_type.choices, generated: true },
  'organizations.billing_state': { values: billingState.options, generated: true },
  'organization_logos.content_type': { values: LOGO_TYPES },
  'organization_members.role': { values: ROLES },
  'package_imports.state': { values: ['WAITING', 'RUNNING', 'DONE', 'FAILED'], generated: true },
  'project_members.role': { values: ROLES },
  'sign_in_codes.method': { values: ['email_link', 'oidc'], generated: true },
  'user_photos.content_type': { values: PHOTO_TYPES },
  'registrations.status': { values: ['PENDING', 'APPROVED', 'REJECTED'], generated: true },
  'runs.entity_kind': { values: ['file', ...runKinds, 'brapi_import', 'germplasm_upload', 'package_import'] },
  'runs.state': { values: ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'], generated: true },
  'subscriptions.state': { values: billingState.options },
  'photos.content_type': { values: PHOTO_TYPES, nullable: true },
  'trial_events.type': { values: trialEventType.options },
  'trial_observations.origin': { values: observationOrigin.options },
  'trial_observations.state': { values: observationState.options, generated: true },
  'trial_plots.kind': { values: plotKind.options },
  'trials.client_values': { values: clientValues.options, generated: true },
  'trials.state': { values: trialState.options, generated: true },
  'uploads.file_type': { values: fileType.options, nullable: true },
};
