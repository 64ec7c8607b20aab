/** Where people have roles and are invited to. */
export interface Place {
  kind: 'organization' | 'project';
  id: string;
}

/** The parameter of an endpoint below an organization or below a project, whichever it is. */
export const parametersOf = ({ id }: Place): { organization_id: string; project_id: string } => ({
  organization_id: id,
  project_id: id,
});
