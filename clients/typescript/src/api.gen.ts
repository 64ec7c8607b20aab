// Made by generate-types.ts from /api/openapi.json.

export interface paths {
    "/api/access_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My personal access tokens */
        get: operations["listAccessTokens"];
        put?: never;
        /** Make a personal access token */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/access_tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a personal access token */
        delete: operations["deleteAccessToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/connections/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An app that asks for access */
        get: operations["getAuthConnection"];
        put?: never;
        /**
         * Give an app access
         * @description The app gets an access token that ends after 90 days. It is listed with your access tokens.
         */
        post: operations["postAuthConnection"];
        /** Refuse an app access */
        delete: operations["deleteAuthConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a new e-mail address */
        post: operations["postAuthEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail a sign-in link */
        post: operations["postAuthLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the provider sends the browser back
         * @description Leads to `/signin`.
         */
        get: operations["getAuthOidcCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in by the OpenID Connect provider
         * @description Leads the browser to the provider.
         */
        get: operations["getAuthOidcStart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How I confirm that it is me */
        get: operations["getAuthProof"];
        put?: never;
        /**
         * Confirm that it is me
         * @description Changing the e-mail address, deleting the account, making access tokens and changing the second factor need a sign-in or this within the last 15 minutes.
         */
        post: operations["postAuthProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/proof/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail me a code to confirm that it is me */
        post: operations["postAuthProofMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out */
        delete: operations["deleteAuthSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the presented token may do
         * @description Its user, the organizations with the role in each, the scopes (`read`, `write`), until when it lasts, and whether it is of a session or a personal access token. A token never allows more than its user may do.
         */
        get: operations["getAuthToken"];
        put?: never;
        /** Exchange a code, a custom token or a refresh token */
        post: operations["postAuthToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Subscribe */
        post: operations["postCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read my checkout */
        get: operations["getCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkouts/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete my checkout */
        post: operations["postCheckoutConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this installation offers */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deleted_organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organizations that I own and that were deleted in the last 30 days, the latest first */
        get: operations["listDeletedOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deleted_organizations/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a deleted organization that I own */
        post: operations["postDeletedOrganizationRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dev/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mails of this installation */
        get: operations["getDevOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes of what the caller may see, as server-sent events
         * @description Every message is `data: {"type", "id", "project_id", "organization_id", "progress"?, "runs_before"?}`. After `event: gap` events may have been missed: load again what is shown. A person may have 24 streams open at a time.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations that I have received */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Decline an invitation */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accept an invitation */
        get: operations["getInvitationAccept"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/sign_in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in by the link of an invitation */
        post: operations["postInvitationsSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what in the installation
         * @description Newest first. Sign-ins and tokens are those of its members.
         */
        get: operations["listOperatorAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what in the installation, as CSV */
        get: operations["getOperatorAuditCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/failed_runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs that failed for reasons of the installation */
        get: operations["listOperatorFailedRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/failed_runs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Repeat a failed run */
        post: operations["postOperatorFailedRunRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mails and what became of them */
        get: operations["listOperatorMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/mails/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a failed mail again */
        post: operations["postOperatorMailRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All organizations with what they use */
        get: operations["listOperatorOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/organizations/{id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change what an organization may use */
        put: operations["updateOperatorOrganizationQuotas"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Jobs that wait and run, by lane */
        get: operations["getOperatorQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests for accounts */
        get: operations["listOperatorRegistrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/registrations/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a request for an account */
        post: operations["postOperatorRegistrationApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/registrations/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a request for an account */
        post: operations["postOperatorRegistrationReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Workers, and what they offer their jobs */
        get: operations["getOperatorWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My organizations */
        get: operations["listOrganizations"];
        put?: never;
        /** Create an organization */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an organization */
        get: operations["getOrganization"];
        /** Change an organization */
        put: operations["updateOrganization"];
        post?: never;
        /** Delete an organization */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what in an organization
         * @description Newest first. Sign-ins and tokens are those of its members.
         */
        get: operations["listOrganizationAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what in an organization, as CSV */
        get: operations["getOrganizationAuditCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Plan, seats and payment */
        get: operations["getOrganizationBilling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/crops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Crops of an organization */
        get: operations["listOrganizationCrops"];
        put?: never;
        /** Add a crop */
        post: operations["createOrganizationCrop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/crops/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename a crop */
        put: operations["updateOrganizationCrop"];
        post?: never;
        /** Delete a crop that no project uses */
        delete: operations["deleteOrganizationCrop"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/deleted_projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Projects deleted in the last 30 days, the latest first */
        get: operations["listOrganizationDeletedProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/deleted_projects/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a deleted project */
        post: operations["postOrganizationDeletedProjectRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Germplasm of an organization, or of one of its crops */
        get: operations["listOrganizationGermplasms"];
        put?: never;
        /** Upload germplasm in one call: checked and stored, or refused with the problems */
        post: operations["createOrganizationGermplasm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One germplasm */
        get: operations["getOrganizationGermplasm"];
        /** Change a germplasm */
        put: operations["updateOrganizationGermplasm"];
        post?: never;
        /** Delete a germplasm that is no parent */
        delete: operations["deleteOrganizationGermplasm"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Merge a germplasm into another; its names become synonyms */
        post: operations["postOrganizationGermplasmMerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/{id}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Phenotypes and GEBVs of a germplasm in the projects that one may see */
        get: operations["listOrganizationGermplasmValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Merges and deletions of germplasm, the latest first */
        get: operations["listOrganizationGermplasmsChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/changes/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo a merge or a deletion */
        post: operations["postOrganizationGermplasmsChangeUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The germplasm list as a table */
        get: operations["getOrganizationGermplasmsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload germplasm for review */
        post: operations["createOrganizationGermplasmsUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An own upload under review */
        get: operations["getOrganizationGermplasmsUpload"];
        /** Correct or leave out rows of an upload, change its choices, or say what its columns hold */
        put: operations["updateOrganizationGermplasmsUpload"];
        post?: never;
        /** Cancel an upload */
        delete: operations["deleteOrganizationGermplasmsUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/uploads/{upload_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store an upload as a whole */
        post: operations["postOrganizationGermplasmsUploadAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/uploads/{upload_id}/first_rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first rows of an uploaded file, and what its columns probably hold */
        get: operations["getOrganizationGermplasmsUploadFirstRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/germplasms/uploads/{upload_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of an upload and what becomes of them */
        get: operations["listOrganizationGermplasmsUploadRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations of an organization */
        get: operations["listOrganizationInvitations"];
        put?: never;
        /** Invite to an organization */
        post: operations["createOrganizationInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an invitation to an organization */
        delete: operations["deleteOrganizationInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail an invitation to an organization again */
        post: operations["postOrganizationInvitationResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invoices */
        get: operations["listOrganizationInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/invoices/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An invoice to print
         * @description For invoices without a `download_url`.
         */
        get: operations["getOrganizationInvoiceDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Members of an organization */
        get: operations["listOrganizationMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change the role of a member */
        put: operations["updateOrganizationMember"];
        post?: never;
        /** Remove a member, or leave */
        delete: operations["deleteOrganizationMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/pedigree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pedigree of the germplasm of an organization */
        get: operations["getOrganizationPedigree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/pedigree/coancestries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Coancestries of germplasm of an organization */
        get: operations["getOrganizationPedigreeCoancestries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change the seats of the subscription */
        put: operations["updateOrganizationSubscriptions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/subscriptions/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel the subscription */
        post: operations["postOrganizationSubscriptionsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/subscriptions/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back a cancellation */
        post: operations["postOrganizationSubscriptionsResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhooks of an organization */
        get: operations["listOrganizationWebhooks"];
        put?: never;
        /**
         * Register an address for events
         * @description Only this answer contains the secret with which signatures are checked.
         */
        post: operations["createOrganizationWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a webhook, switch it on or off, or renew its secret */
        put: operations["updateOrganizationWebhook"];
        post?: never;
        /** Delete a webhook */
        delete: operations["deleteOrganizationWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries of a webhook, newest first */
        get: operations["listOrganizationWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Tried once. The list of deliveries says what came of it.
         */
        post: operations["postOrganizationWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{organization_id}/webhooks/{webhook_id}/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again */
        post: operations["postOrganizationWebhookDeliverieResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paymentmethods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Charge another card */
        put: operations["updatePaymentmethods"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/photos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A photo of a person */
        get: operations["getPhoto"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My projects */
        get: operations["listProjects"];
        put?: never;
        /** Create a project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a project */
        get: operations["getProject"];
        /** Change a project */
        put: operations["updateProject"];
        post?: never;
        /** Delete a project */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what in a project
         * @description Newest first. Sign-ins and tokens are those of its members.
         */
        get: operations["listProjectAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what in a project, as CSV */
        get: operations["getProjectAuditCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was deleted in the last 30 days, the latest first */
        get: operations["listProjectBin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/bin/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take something out of the bin */
        post: operations["postProjectBinRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/brapi_imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Imports from other BrAPI servers, newest first */
        get: operations["listProjectBrapiImports"];
        put?: never;
        /**
         * Import from another BrAPI server
         * @description The token is kept, sealed, until the import has ended.
         */
        post: operations["createProjectBrapiImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/brapi_imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One import */
        get: operations["getProjectBrapiImport"];
        put?: never;
        post?: never;
        /** Stop an import; what has arrived stays */
        delete: operations["deleteProjectBrapiImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/brapi_imports/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take up an import that has stopped; what has arrived stays */
        post: operations["postProjectBrapiImportResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/brapi_imports/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What another BrAPI server offers */
        post: operations["postProjectBrapiImportsLook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List crossing plans, newest first */
        get: operations["listProjectCrossingPlans"];
        put?: never;
        /** Plan crosses with a trained model */
        post: operations["createProjectCrossingPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One crossing plan */
        get: operations["getProjectCrossingPlan"];
        /** Rename or describe a crossing plan */
        put: operations["updateProjectCrossingPlan"];
        post?: never;
        /** Delete a crossing plan */
        delete: operations["deleteProjectCrossingPlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_plans/{id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All results with inputs, parameters, seed, version and a methods paragraph, as a zip */
        get: operations["getProjectCrossingPlanBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_plans/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop what is running */
        post: operations["postProjectCrossingPlanCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_plans/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again what failed */
        post: operations["postProjectCrossingPlanRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_plans/{id}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What plans with other constraints are computed from
         * @description Little-endian: the number 0x48585031 and the length of a JSON part (32 bits each), the JSON part with the names of candidates and traits and, in `made`, the pairs already made by index, then breeding values (Float64, n × T by rows), the lower triangle of the relationship (Float64, by rows) and, for each pair of traits, the covariance within the progeny of each pair of candidates (Float32); each part begins at a multiple of 8 bytes.
         */
        get: operations["getProjectCrossingPlanTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List crossing simulations, newest first */
        get: operations["listProjectCrossingSimulations"];
        put?: never;
        /** Evaluate and simulate the crosses of a crossing table */
        post: operations["createProjectCrossingSimulation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One crossing simulation */
        get: operations["getProjectCrossingSimulation"];
        /** Rename or describe a crossing simulation */
        put: operations["updateProjectCrossingSimulation"];
        post?: never;
        /** Delete a crossing simulation */
        delete: operations["deleteProjectCrossingSimulation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations/{id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All results with inputs, parameters, seed, version and a methods paragraph, as a zip */
        get: operations["getProjectCrossingSimulationBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop what is running */
        post: operations["postProjectCrossingSimulationCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations/{id}/crosses/{place}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the simulated progeny of one cross are distributed */
        get: operations["getProjectCrossingSimulationCrosse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations/{id}/progeny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The best simulated progeny, of all crosses or of one */
        get: operations["getProjectCrossingSimulationProgeny"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of the crosses for one trait, page by page */
        get: operations["listProjectCrossingSimulationResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/crossing_simulations/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again what failed */
        post: operations["postProjectCrossingSimulationRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Time, memory and disk of a run, before it is started */
        post: operations["postProjectEstimate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List files: of the root, of a folder, or all */
        get: operations["listProjectFiles"];
        put?: never;
        /** Upload, step 3: make the file of the bytes that were sent; its check starts */
        post: operations["createProjectFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One file */
        get: operations["getProjectFile"];
        /** Rename, move or describe a file */
        put: operations["updateProjectFile"];
        post?: never;
        /** Delete a file; one that runs use only with cascade=true, by a manager */
        delete: operations["deleteProjectFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a file again, with other choices */
        post: operations["postProjectFileCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The genotypes in another format: VCF (bgzip), HapMap, PLINK (zip), or copies of A2 as CSV */
        get: operations["getProjectFileExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/first_rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first rows of a table, and what its columns probably hold */
        get: operations["getProjectFileFirstRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/hybrids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the genotypes of the F1 hybrids of a crossing table or of two pools; they become a file */
        post: operations["postProjectFileHybrids"];
        /** Stop the making of hybrids */
        delete: operations["deleteProjectFileHybrids"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/linkage_map_template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A linkage map of the markers, to be filled in */
        get: operations["getProjectFileLinkageMapTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/means": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Adjusted means of a trait of a phenotype file, with standard errors */
        get: operations["getProjectFileMeans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/means.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Adjusted means of all traits of a phenotype file, as CSV */
        get: operations["getProjectFileMeansCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/phasing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Phase a genotype file and fill its missing calls; the result becomes a file of its own */
        post: operations["postProjectFilePhasing"];
        /** Stop the phasing of a file */
        delete: operations["deleteProjectFilePhasing"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was found in a file, in order of its lines */
        get: operations["listProjectFileProblems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/problems.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was found in a file, as CSV */
        get: operations["getProjectFileProblemsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/qc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of a checked file */
        get: operations["getProjectFileQc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The table of a phenotype file */
        get: operations["listProjectFileRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/synonyms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The names of a file and those of the germplasm list: what a conversion would rename */
        get: operations["getProjectFileSynonyms"];
        put?: never;
        /** Convert a file: start the making of a new one with the names of the germplasm list */
        post: operations["postProjectFileSynonyms"];
        /** Stop a conversion */
        delete: operations["deleteProjectFileSynonyms"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/{file_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs that use a file */
        get: operations["getProjectFileUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/files/upload_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload, step 1: an address that takes the bytes */
        post: operations["createProjectFilesUploadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List folders: those at the root, inside a folder, or all */
        get: operations["listProjectFolders"];
        put?: never;
        /** Create a folder */
        post: operations["createProjectFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/folders/{folder_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One folder with its path */
        get: operations["getProjectFolder"];
        /** Rename or move a folder */
        put: operations["updateProjectFolder"];
        post?: never;
        /** Delete an empty folder */
        delete: operations["deleteProjectFolder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Germplasm of a project's crop; for guests, what the project uses */
        get: operations["listProjectGermplasms"];
        put?: never;
        /** Upload germplasm in one call: checked and stored, or refused with the problems */
        post: operations["createProjectGermplasm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One germplasm */
        get: operations["getProjectGermplasm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/{id}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Phenotypes and GEBVs of a germplasm in the project */
        get: operations["listProjectGermplasmValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The germplasm list of the project as a table */
        get: operations["getProjectGermplasmsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/synonyms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep renames of a run as synonyms, for all files of the crop */
        post: operations["postProjectGermplasmsSynonyms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload germplasm for review */
        post: operations["createProjectGermplasmsUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An own upload under review */
        get: operations["getProjectGermplasmsUpload"];
        /** Correct or leave out rows of an upload, change its choices, or say what its columns hold */
        put: operations["updateProjectGermplasmsUpload"];
        post?: never;
        /** Cancel an upload */
        delete: operations["deleteProjectGermplasmsUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/uploads/{upload_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store an upload as a whole */
        post: operations["postProjectGermplasmsUploadAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/uploads/{upload_id}/first_rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first rows of an uploaded file, and what its columns probably hold */
        get: operations["getProjectGermplasmsUploadFirstRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/germplasms/uploads/{upload_id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rows of an upload and what becomes of them */
        get: operations["listProjectGermplasmsUploadRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List GWAS, newest first */
        get: operations["listProjectGwas"];
        put?: never;
        /** Run a GWAS */
        post: operations["createProjectGwas"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One GWAS */
        get: operations["getProjectGwas"];
        /** Rename or describe a GWAS */
        put: operations["updateProjectGwas"];
        post?: never;
        /** Delete a GWAS */
        delete: operations["deleteProjectGwas"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All results with inputs, parameters, seed, version and a methods paragraph, as a zip */
        get: operations["getProjectGwasBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop what is running */
        post: operations["postProjectGwasCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/clumps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Hits in LD with each other, put together under the strongest */
        get: operations["getProjectGwasClumps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/markers/{marker}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One marker: phenotypes by genotype, LD with its neighbours */
        get: operations["getProjectGwasMarker"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/plot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Points of the Manhattan plot
         * @description Little-endian Float32 triples: index of the chromosome in `chromosomes` of the GWAS, position in bp, −log10 p. Above 50,000 markers those that cover each other are thinned; every marker with p below 0.001 is kept.
         */
        get: operations["getProjectGwasPlot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/qq": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Points of the QQ plot */
        get: operations["getProjectGwasQq"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/region": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A part of a chromosome: r² with its lead marker, genes, recombination rate */
        get: operations["getProjectGwasRegion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Results of a trait, page by page */
        get: operations["listProjectGwasResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/gwas/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again what failed */
        post: operations["postProjectGwasRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invitations of a project */
        get: operations["listProjectInvitations"];
        put?: never;
        /** Invite to a project */
        post: operations["createProjectInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an invitation to a project */
        delete: operations["deleteProjectInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail an invitation to a project again */
        post: operations["postProjectInvitationResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists of lines and markers, the newest first */
        get: operations["listProjectLists"];
        put?: never;
        /** Keep a list of lines or markers with the project */
        post: operations["createProjectList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One list with its names */
        get: operations["getProjectList"];
        /** Rename a list, or change its names */
        put: operations["updateProjectList"];
        post?: never;
        /** Delete a list; runs keep the names that they used */
        delete: operations["deleteProjectList"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the chosen inputs have in common, before a run is started */
        post: operations["postProjectMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People with a role in the project
         * @description Owners and managers of the organization reach all of its projects and are not listed here.
         */
        get: operations["listProjectMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a role in the project */
        put: operations["updateProjectMember"];
        post?: never;
        /** Remove somebody from the project, or leave it */
        delete: operations["deleteProjectMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List models, newest first */
        get: operations["listProjectModels"];
        put?: never;
        /** Train a model on one or several traits and cross-validate it */
        post: operations["createProjectModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One model */
        get: operations["getProjectModel"];
        /** Rename or describe a model */
        put: operations["updateProjectModel"];
        post?: never;
        /** Delete a model */
        delete: operations["deleteProjectModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models/{id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All results with inputs, parameters, seed, version and a methods paragraph, as a zip */
        get: operations["getProjectModelBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop what is running */
        post: operations["postProjectModelCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models/{id}/effects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Marker effects of one trait, per copy of A2 */
        get: operations["listProjectModelEffects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models/{id}/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cross-validation of one trait */
        get: operations["getProjectModelEvaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models/{id}/gebv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Individuals ranked by their genomic estimated breeding values */
        get: operations["listProjectModelGebv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/models/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again what failed */
        post: operations["postProjectModelRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is in a project and what happened lately */
        get: operations["getProjectOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/parentage_checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List parentage checks, newest first */
        get: operations["listProjectParentageChecks"];
        put?: never;
        /** Check a genotype against a pedigree */
        post: operations["createProjectParentageCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/parentage_checks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One parentage check */
        get: operations["getProjectParentageCheck"];
        /** Rename or describe a parentage check */
        put: operations["updateProjectParentageCheck"];
        post?: never;
        /** Delete a parentage check */
        delete: operations["deleteProjectParentageCheck"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/parentage_checks/{id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All results with inputs, parameters, seed, version and a methods paragraph, as a zip */
        get: operations["getProjectParentageCheckBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/parentage_checks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop what is running */
        post: operations["postProjectParentageCheckCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/parentage_checks/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was found of each individual, page by page */
        get: operations["listProjectParentageCheckResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/parentage_checks/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again what failed */
        post: operations["postProjectParentageCheckRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/pedigrees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pedigree of the germplasm that a project uses, with all ancestors */
        get: operations["getProjectPedigrees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/pedigrees/coancestries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Coancestries of germplasm that a project may see */
        get: operations["getProjectPedigreesCoancestries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/predictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List predictions, newest first */
        get: operations["listProjectPredictions"];
        put?: never;
        /** Predict a genotype with a trained model */
        post: operations["createProjectPrediction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/predictions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One prediction */
        get: operations["getProjectPrediction"];
        /** Rename or describe a prediction */
        put: operations["updateProjectPrediction"];
        post?: never;
        /** Delete a prediction */
        delete: operations["deleteProjectPrediction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/predictions/{id}/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All results with inputs, parameters, seed, version and a methods paragraph, as a zip */
        get: operations["getProjectPredictionBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/predictions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop what is running */
        post: operations["postProjectPredictionCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/predictions/{id}/factorial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Predicted hybrids by their parents */
        get: operations["getProjectPredictionFactorial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/predictions/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Predicted values, page by page */
        get: operations["listProjectPredictionResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/predictions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run again what failed */
        post: operations["postProjectPredictionRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Files, folders, runs and germplasm by name */
        get: operations["getProjectSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/traits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Direction, unit and weight of the traits of a project */
        get: operations["getProjectTraits"];
        /**
         * Say of traits whether low values are better, their unit and weight
         * @description Rankings, the index of predictions and new crossing simulations follow it.
         */
        put: operations["updateProjectTraits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own uploads in parts that are no files yet, newest first */
        get: operations["listProjectUploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One upload: which of its parts have arrived */
        get: operations["getProjectUpload"];
        put?: never;
        post?: never;
        /** Give an upload up; nothing of it stays */
        delete: operations["deleteProjectUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/uploads/{upload_id}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload, step 2 in parts: addresses that take the bytes of some parts */
        post: operations["postProjectUploadParts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where I am signed in */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** Sign out everywhere else */
        delete: operations["deleteSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out one device */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setupcredit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begin to add a card */
        get: operations["getSetupcredit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for an account */
        post: operations["postSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stripe/price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prices of a seat */
        get: operations["getStripePrice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stripe/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of Stripe */
        post: operations["postStripeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a subscription */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My profile */
        get: operations["getUsersMe"];
        /** Change my name */
        put: operations["updateUsersMe"];
        post?: never;
        /**
         * Delete my account
         * @description Refused while an organization would be left without an owner. What you created stays.
         */
        delete: operations["deleteUsersMe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change my e-mail address
         * @description Mails a link to the new address. The address changes when the link is opened.
         */
        post: operations["postUsersMeEmail"];
        /** Keep my e-mail address */
        delete: operations["deleteUsersMeEmail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is stored about me */
        get: operations["getUsersMeExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change which mails I get */
        put: operations["updateUsersMeMails"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/photo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change my photo
         * @description The bytes of a JPEG, PNG or WebP with its content type, at most 512 KB and 2048 pixels on a side, upright: metadata such as place, time and orientation is removed.
         */
        put: operations["updateUsersMePhoto"];
        post?: never;
        /** Remove my photo */
        delete: operations["deleteUsersMePhoto"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/second_factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My second factor */
        get: operations["getUsersMeSecondFactor"];
        put?: never;
        /**
         * Set up a second factor
         * @description Codes of an authenticator app (RFC 6238). It counts once it is confirmed by a first code.
         */
        post: operations["createUsersMeSecondFactor"];
        /** Remove my second factor */
        delete: operations["deleteUsersMeSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/second_factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the second factor by a first code
         * @description Every sign-in needs a code from then on. All other sessions end.
         */
        post: operations["postUsersMeSecondFactorConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me/second_factor/recovery_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes
         * @description The ones before stop working.
         */
        post: operations["postUsersMeSecondFactorRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedInvitation: {
            /** Format: uuid */
            organization_id: string;
            /** @description Null for an invitation to the organization. */
            project_id: string | null;
        };
        AccessToken: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            last_used_at: string | null;
            name: string;
            /** @description The only projects that it reaches; null: all of its owner. */
            projects: components["schemas"]["Reference"][] | null;
            scopes: ("read" | "write")[];
        };
        /** @description Estimated correlation of predicted and true genetic values. */
        AccuracyEstimate: {
            /**
             * @description `cullis` and `entry-mean`: H² of the means, from the design of the phenotype file; `genomic`: the share of the variance that the kinships explain, given the fixed effects of the model.
             * @enum {string}
             */
            basis: "cullis" | "entry-mean" | "genomic";
            /** @description The heritability divided by, 0–1. */
            h2: number;
            /** @description What a value above 1 or below −1 means; null for others. */
            note: string | null;
            /** @description r / √h². Not cut off at 1, see `note`. */
            value: number;
        };
        AuditEntry: {
            /** @description For example `member.role-changed`. */
            action: string;
            /** @description Null for the system itself; its id is null once the account is deleted. */
            actor: {
                email: string | null;
                id: string | null;
                name: string | null;
            } | null;
            /** @description Null for actions of another version. */
            area: ("members" | "roles" | "invitations" | "settings" | "billing" | "deletion" | "tokens" | "sign-ins" | "accounts" | "operation") | null;
            /** Format: date-time */
            created_at: string;
            details: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            id: string;
            project: components["schemas"]["Reference"] | null;
            target_id: string | null;
            target_type: string | null;
        };
        Billing: {
            /** @enum {string} */
            kind: "offline" | "stripe";
            /** @description Null when nothing will be charged. */
            next_invoice: {
                /** @description In the smallest unit of the currency. */
                amount: number;
                /** @description ISO 4217 code in lower case, for example `usd`. */
                currency: string;
                /** Format: date-time */
                date: string;
            } | null;
            /** Format: uuid */
            organization_id: string;
            payment_method: {
                brand: string;
                exp_month: number;
                exp_year: number;
                last4: string;
            } | null;
            seat_total: number;
            seat_usage: number;
            /** @enum {string} */
            state: "active" | "past_due" | "cancelled";
            subscription: components["schemas"]["Subscription"] | null;
        };
        BinEntry: {
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description Deleted for good at this time.
             */
            gone_at: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "file" | "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation";
            name: string;
        };
        BrapiImport: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            finished_at: string | null;
            /** Format: uuid */
            id: string;
            server_name: string;
            /** @enum {string} */
            state: "WAITING" | "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
            steps: {
                /** @description Entries, markers or bytes that have arrived. */
                done: number;
                /** @description Files that were made of it. */
                file_ids: string[];
                /** @enum {string} */
                kind: "germplasm" | "phenotypes" | "genotypes" | "map";
                /** @description Why it failed, or what there is to know. */
                message: string | null;
                name: string;
                source_id: string;
                /** @enum {string} */
                state: "WAITING" | "RUNNING" | "DONE" | "FAILED";
                total: number | null;
            }[];
            url: string;
        };
        BrapiOffer: {
            has_germplasm: boolean;
            maps: {
                id: string;
                markers: number | null;
                name: string;
            }[];
            server_name: string;
            trials: {
                id: string;
                name: string;
                program: string | null;
                /** @description With phenotypes. */
                studies: number;
            }[];
            /** @description The address with its path. */
            url: string;
            variant_sets: {
                id: string;
                individuals: number | null;
                markers: number | null;
                name: string;
            }[];
        };
        CanonicalNames: {
            /** @description Names that may mean several germplasm; they stay as written. */
            ambiguous: {
                candidates: string[];
                name: string;
            }[];
            /** @description Names that are written as in the germplasm list. */
            canonical: number;
            /** @description Individuals that would get the same name; while there are any, nothing is converted. */
            clashes: {
                from: string[];
                to: string;
            }[];
            renames: {
                from: string;
                /** @enum {string} */
                how: "exact" | "synonym" | "folded";
                to: string;
            }[];
            /** @description Names that are not in the list; they stay as written. */
            unknown: string[];
        };
        Checkout: {
            /** @description `confirm` completes it; otherwise the payment service does. */
            confirmed_here: boolean;
            /** Format: uuid */
            id: string;
            /** @description Null for a new organization that has not been made yet. */
            organization_id: string | null;
            organization_name: string | null;
            /** @description Null when it is not offered any more. */
            price: components["schemas"]["Price"] | null;
            /** @enum {string} */
            status: "open" | "complete";
        };
        /** @description How hits in LD are put together, as plink --clump does. */
        ClumpingRule: {
            /**
             * @description Largest distance from it, in kilobases.
             * @default 250
             */
            kb: number;
            /**
             * @description Largest p of the marker that a clump is named after.
             * @default 0.0001
             */
            p1: number;
            /**
             * @description Largest p of its other markers.
             * @default 0.01
             */
            p2: number;
            /**
             * @description Smallest r² of them with it.
             * @default 0.5
             */
            r2: number;
        };
        /** @description How hits in LD are put together, as plink --clump does. */
        ClumpingRuleInput: {
            /**
             * @description Largest distance from it, in kilobases.
             * @default 250
             */
            kb: number;
            /**
             * @description Largest p of the marker that a clump is named after.
             * @default 0.0001
             */
            p1: number;
            /**
             * @description Largest p of its other markers.
             * @default 0.01
             */
            p2: number;
            /**
             * @description Smallest r² of them with it.
             * @default 0.5
             */
            r2: number;
        };
        Coancestries: {
            ids: string[];
            /** @description Coancestry (kinship by descent) of each pair, row after row; (1 + F)/2 on the diagonal. */
            values: number[];
        };
        ConnectionAnswer: {
            redirect_to: string;
        };
        ConnectionRequest: {
            /** @description Its name. */
            app: string;
            /** @description Days after which the access ends. */
            token_days: number;
            /** @description Whether it is made to write, and not only to read. */
            writes: boolean;
        };
        ConvertedFile: {
            /** @description The file, whose derivations say how it goes. */
            file: components["schemas"]["FileDetail"];
            names: components["schemas"]["CanonicalNames"];
        };
        CreatedAccessToken: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            last_used_at: string | null;
            name: string;
            /** @description The only projects that it reaches; null: all of its owner. */
            projects: components["schemas"]["Reference"][] | null;
            scopes: ("read" | "write")[];
            /** @description Shown only now. */
            token: string;
        };
        Crop: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            updated_at: string;
        };
        CrossingPlan: {
            /** @enum {string} */
            candidates_from: "genotype" | "model";
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description The crossing table of pairs already made. */
            crossing_table_id: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            /** @description Null for candidates from the model. */
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            linkage_map_id: string | null;
            model_id: string | null;
            model_name: string | null;
            name: string;
            pedigree_id: string | null;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        CrossingPlanDetail: {
            /** @enum {string} */
            candidates_from: "genotype" | "model";
            /** @description Signed URL: candidates with index, contribution and crosses. */
            candidates_url: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description Signed URL: the planned crosses as a crossing table with figures. */
            crosses_url: string | null;
            crossing_table: components["schemas"]["Reference"] | null;
            /** @description The crossing table of pairs already made. */
            crossing_table_id: string | null;
            /** @description Signed URL: mean index of the parents against group coancestry. */
            curve_url: string | null;
            description: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            genotype: components["schemas"]["Reference"] | null;
            /** @description Null for candidates from the model. */
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description Selection intensity of the selected share: usefulness = mean + intensity · accuracy · sd. */
            intensity: number;
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            linkage_map: components["schemas"]["Reference"] | null;
            linkage_map_id: string | null;
            /** @description Signed URL: pairs already made and where that is said; null when none was found. */
            made_url: string | null;
            model: components["schemas"]["Reference"] | null;
            model_id: string | null;
            model_name: string | null;
            name: string;
            /** @description Signed URL: the 1,000 most useful pairs; null without population. */
            pairs_url: string | null;
            pedigree: components["schemas"]["Reference"] | null;
            pedigree_id: string | null;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            provenance: {
                created_by: string | null;
                finished_at: string | null;
                /** @description Input role → SHA-256 of the original file. */
                input_sha256: {
                    [key: string]: string;
                };
                parameters: {
                    accuracy: number;
                    allow_made: boolean;
                    /** @description Null with a linkage map. */
                    bp_per_cm: number | null;
                    candidates: string[] | null;
                    /** @enum {string} */
                    candidates_from: "genotype" | "model";
                    cap: number | null;
                    /**
                     * @description What the relationships of the candidates follow from.
                     * @enum {string}
                     */
                    coancestry: "markers" | "pedigree";
                    crosses: number;
                    forbidden_pairs: [
                        string,
                        string
                    ][];
                    /** @enum {string} */
                    index_method: "base" | "smith_hazel" | "desired_gains" | "restricted";
                    kept_traits: string[];
                    low_traits: string[];
                    made_from: ("germplasm" | "crossing_tables")[];
                    /** @enum {string} */
                    mates: "usefulness" | "inbreeding";
                    max_uses: number;
                    /** @enum {string} */
                    missing_map_markers: "interpolate" | "drop";
                    population: ("F1" | "F2" | "F3" | "F4" | "F5" | "F6" | "F7" | "F8" | "F9" | "RIL" | "DH" | "F2_DH" | "F3_DH" | "F4_DH" | "F5_DH" | "BC1_female" | "BC1_male" | "BC1_female_DH" | "BC1_male_DH" | "BC2_female" | "BC2_male" | "BC3_female" | "BC3_male") | null;
                    required_pairs: [
                        string,
                        string
                    ][];
                    selected_fraction: number;
                    trait_accuracy: {
                        [key: string]: number;
                    };
                    /** @description Trait → weight, or desired gain; empty: 1 over the standard deviation of each trait. */
                    weights: {
                        [key: string]: number;
                    };
                };
                /** @description From start to end. */
                seconds: number | null;
                /** @description Null when nothing is random. */
                seed: number | null;
                software_version: string;
                started_at: string | null;
            };
            report: components["schemas"]["CrossingPlanReport"] | null;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        CrossingPlanReport: {
            candidates: number;
            /** @description Cap on the group coancestry: the one asked for, or the balanced one. */
            cap: number;
            /** @description Trait → mean of the chosen parents less the mean of the candidates. */
            changes: {
                [key: string]: number;
            };
            /** @description Group coancestry of the parents, weighted by their uses. */
            coancestry: number;
            crosses: number;
            /** @description Null without genotype. */
            effect_markers: number | null;
            /** @description Null without genotype. */
            filled_calls: number | null;
            /** @description Trait → expected change per unit of selection intensity on the index, in the unit of the trait. */
            gains: {
                [key: string]: number;
            };
            /** @description Whether other parents were taken because the best uses cannot be paired. */
            is_repaired: boolean;
            /** @description Pairs of candidates that have been crossed already, as far as was asked. */
            made_pairs: number;
            /** @description Whether the pairing of the parents is proven to be the best. */
            mates_proven: boolean;
            meets_cap: boolean;
            parents: number;
            /** @description Markers of the model that are in the genotype of the candidates; null without genotype. */
            shared: number | null;
            /** @description Mean index of the parents, weighted by their uses. */
            value: number;
            /** @description No plan under the cap has a larger mean index. */
            value_bound: number;
            warnings: {
                code: string;
                message: string;
                suggestion: string | null;
            }[];
            /** @description Trait → weight of its breeding value in the index. */
            weights: {
                [key: string]: number;
            };
        };
        CrossingReport: {
            /** @description Trait → the cross with the largest usefulness. */
            best: {
                [key: string]: {
                    cross: string;
                    usefulness: number;
                };
            };
            crosses: number;
            effect_markers: number;
            /** @description Missing calls of the parents, set to the more frequent allele. */
            filled_calls: number;
            interpolated: number;
            mismatched: number;
            progeny: number;
            /** @description Markers of the model that are in the genotype of the parents. */
            shared: number;
            /** @description Crosses with a parent that is not in the genotype; at most 1,000 are listed. */
            skipped: number;
            skipped_crosses: {
                cross: string;
                female: string;
                line: number;
                male: string;
            }[];
            swapped: number;
            /** @description Shared markers without a position on the map: they count in the means and not in the variances. */
            unmapped: number;
            /** @description Share of Σ 2pq·a² of the markers without a position, 0–1; the largest over the traits. */
            unmapped_variance_share: number;
            /** @description Findings about the linkage map. */
            warnings: {
                code: string;
                message: string;
                suggestion: string | null;
            }[];
        };
        CrossingSimulation: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            crossing_table_id: string | null;
            crossing_table_name: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            linkage_map_id: string | null;
            linkage_map_name: string | null;
            model_id: string | null;
            model_name: string | null;
            name: string;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        CrossingSimulationDetail: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            crossing_table: components["schemas"]["Reference"] | null;
            crossing_table_id: string | null;
            crossing_table_name: string | null;
            description: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            genotype: components["schemas"]["Reference"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description Selection intensity by selected share, smallest first: usefulness = mean ± intensity · accuracy · sd. */
            intensities: {
                fraction: number;
                intensity: number;
            }[];
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            /** @description Also null when distances come from base pairs: see `provenance.parameters.bp_per_cm`. */
            linkage_map: components["schemas"]["Reference"] | null;
            linkage_map_id: string | null;
            linkage_map_name: string | null;
            model: components["schemas"]["Reference"] | null;
            model_id: string | null;
            model_name: string | null;
            name: string;
            /** @description Signed URL: CSV with a row for each simulated progeny; null when none were simulated. */
            progeny_url: string | null;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            provenance: {
                created_by: string | null;
                finished_at: string | null;
                /** @description Input role → SHA-256 of the original file. */
                input_sha256: {
                    [key: string]: string;
                };
                parameters: {
                    accuracy: number;
                    /** @description Null with a linkage map. */
                    bp_per_cm: number | null;
                    low_traits: string[];
                    /** @enum {string} */
                    map_function: "haldane" | "kosambi";
                    /** @enum {string} */
                    missing_map_markers: "interpolate" | "drop";
                    phase_first?: boolean;
                    /** @description The genotype that was phased for this run. */
                    phased_from?: components["schemas"]["Reference"];
                    /** @enum {string} */
                    population: "F1" | "F2" | "F3" | "F4" | "F5" | "F6" | "F7" | "F8" | "F9" | "RIL" | "DH" | "F2_DH" | "F3_DH" | "F4_DH" | "F5_DH" | "BC1_female" | "BC1_male" | "BC1_female_DH" | "BC1_male_DH" | "BC2_female" | "BC2_male" | "BC3_female" | "BC3_male";
                    progeny: number;
                    /** @description Names that stand for names of the genotype, in this run only. */
                    renames?: {
                        /** @description Name in the phenotype file or crossing table. */
                        from: string;
                        /** @description Name in the genotype file. */
                        to: string;
                    }[];
                    selected_fraction: number;
                };
                /** @description From start to end. */
                seconds: number | null;
                /** @description Null when nothing is random. */
                seed: number | null;
                software_version: string;
                started_at: string | null;
            };
            report: components["schemas"]["CrossingReport"] | null;
            /** @description Signed URL: CSV with a row for each cross and trait. */
            result_url: string | null;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        DeletedPlace: {
            /** Format: date-time */
            deleted_at: string;
            deleted_by: string | null;
            /**
             * Format: date-time
             * @description Deleted for good at this time.
             */
            gone_at: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description How it was computed, and why so; the numbers do not depend on it. */
        EngineChoice: {
            /**
             * @description Computed from the kinship of the individuals (n × n), or from the equations of the markers (m × m).
             * @enum {string}
             */
            name: "individuals" | "markers";
            /** @description Of a GWAS whose kinship is that of the markers left by LD pruning: the largest r², and how many. */
            pruned?: {
                markers: number;
                r2: number;
            };
            reason: string;
        };
        /** @description Why it failed: `code`, `message` (a sentence) and `action` (what to do). */
        ErrorExtra: {
            [key: string]: string;
        };
        /** @description Individuals and markers that a run leaves out of its genotype, by lists and rules. They apply in the order of the fields, each to what those before it have left; the result is that of a file without them. */
        Exclusions: {
            /** @description Keeps one individual of each group with the same genotype: the one with the most calls. */
            duplicates?: boolean;
            /** @description Prunes markers by linkage disequilibrium, as plink2 --indep-pairwise. */
            ld_pruning?: {
                /** @description Largest r² that is left. */
                r2: number;
                /**
                 * @description Markers from one window to the next.
                 * @default 5
                 */
                step: number;
                /**
                 * @description Markers in a window.
                 * @default 50
                 */
                window: number;
                /** @description Kilobases in a window, in place of `window` and `step`; such windows begin at every marker. */
                window_kb?: number;
            };
            /** @description Markers to leave out, by their exact names. */
            markers?: string[];
            /** @description Leaves out individuals with a larger share of heterozygotes among their calls. */
            max_sample_heterozygosity?: number;
            /** @description Leaves out markers with a smaller minor allele frequency among all individuals that are left. */
            min_maf?: number;
            /** @description Leaves out markers called in a smaller share of all individuals that are left. */
            min_marker_call_rate?: number;
            /** @description Leaves out individuals with a smaller share of markers called. */
            min_sample_call_rate?: number;
            /** @description Individuals to keep; all others are left out. */
            only_samples?: string[];
            /** @description Individuals to leave out. */
            samples?: string[];
        };
        /** @description Individuals and markers that a run leaves out of its genotype, by lists and rules. They apply in the order of the fields, each to what those before it have left; the result is that of a file without them. */
        ExclusionsInput: {
            /** @description Keeps one individual of each group with the same genotype: the one with the most calls. */
            duplicates?: boolean;
            /** @description Prunes markers by linkage disequilibrium, as plink2 --indep-pairwise. */
            ld_pruning?: {
                /** @description Largest r² that is left. */
                r2: number;
                /**
                 * @description Markers from one window to the next.
                 * @default 5
                 */
                step: number;
                /**
                 * @description Markers in a window.
                 * @default 50
                 */
                window: number;
                /** @description Kilobases in a window, in place of `window` and `step`; such windows begin at every marker. */
                window_kb?: number;
            };
            /** @description Markers to leave out, by their exact names. */
            markers?: string[];
            /** @description Leaves out individuals with a larger share of heterozygotes among their calls. */
            max_sample_heterozygosity?: number;
            /** @description Leaves out markers with a smaller minor allele frequency among all individuals that are left. */
            min_maf?: number;
            /** @description Leaves out markers called in a smaller share of all individuals that are left. */
            min_marker_call_rate?: number;
            /** @description Leaves out individuals with a smaller share of markers called. */
            min_sample_call_rate?: number;
            /** @description Individuals to keep; all others are left out. */
            only_samples?: string[];
            /** @description Individuals to leave out. */
            samples?: string[];
        };
        Factorial: {
            females: string[];
            /** @description Empty when the genotype file names no parents. */
            hybrids: {
                /** @description Place in `females`. */
                female: number;
                gebv: number;
                /** @description With dominance; null without. */
                genotypic: number | null;
                /** @description Place in `males`. */
                male: number;
                name: string;
            }[];
            males: string[];
            trait: string;
        };
        FailedRun: {
            attempts: number;
            code: string;
            /** Format: date-time */
            finished_at: string;
            /** Format: uuid */
            id: string;
            is_retryable: boolean;
            /** @enum {string} */
            kind: "file" | "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation";
            /** @description Its name. */
            organization: string;
            /** Format: uuid */
            project_id: string;
            /** @description For example `import`, `train` or `gwas`. */
            step: string;
        };
        File: {
            /** @description Markers of a genotype, traits of a phenotype file. */
            column_count: number | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            file_type: ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES") | null;
            folder_id: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            project_id: string;
            /** @description Individuals of a genotype, phenotype or pedigree file, crosses of a crossing table, markers of a map; null until checked. */
            row_count: number | null;
            size_bytes: number;
            /**
             * @description UPLOADED and CHECKING are temporary. Runs accept files that are READY or READY_WITH_WARNINGS.
             * @enum {string}
             */
            status: "UPLOADED" | "CHECKING" | "READY" | "READY_WITH_WARNINGS" | "INVALID";
            /** Format: date-time */
            updated_at: string;
        };
        FileDetail: {
            /** @description Markers of a genotype, traits of a phenotype file. */
            column_count: number | null;
            content_type: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description How the dates of the table became numbers; null when they did not. */
            dates: {
                /** @enum {string} */
                as: "days_after_sowing" | "day_of_year";
                /**
                 * @description Of dates such as 01/02/2025; needed when no date of the file tells.
                 * @enum {string}
                 */
                order?: "day_first" | "month_first";
                /**
                 * Format: date
                 * @description Of all rows; absent when the file has a column with it.
                 */
                sowing_date?: string;
            } | null;
            /** @description What was last made from this file, at the most one of each step. */
            derivations: {
                error_extra: components["schemas"]["ErrorExtra"] | null;
                /** @description The new file; null until it exists, and when it was deleted. */
                file: components["schemas"]["Reference"] | null;
                progress: components["schemas"]["Progress"] | null;
                /** @description Of a conversion: the first 1000 names that it replaced; null for the other steps. */
                renames: {
                    from: string;
                    to: string;
                }[] | null;
                /** @enum {string} */
                status: "PROCESSING" | "SUCCESS" | "ERROR";
                /** @enum {string} */
                step: "phase" | "hybrids" | "convert";
            }[];
            description: string | null;
            file_type: ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES") | null;
            folder_id: string | null;
            /** @description Of a genotype file, the format of its content; of a phenotype file, its shape. Null until checked, and when the content is none of these. */
            format: ("vcf" | "hapmap" | "plink-binary" | "plink-text" | "plink2" | "flapjack" | "numeric-matrix" | "letter-matrix" | "kasp" | "dart" | "wide" | "wide-design" | "long" | "linkage-map" | "crossing-table" | "pedigree" | "genes") | null;
            /** @description Calls of a genotype file with a dosage between whole numbers; null when there are none. */
            fractional_dosages: {
                calls: number;
                /** @description Markers with such calls. */
                markers: number;
            } | null;
            /** @description Whether `…/first_rows` has something to show. */
            has_first_rows: boolean;
            /** Format: uuid */
            id: string;
            /** @description How a person said that the columns of the table are to be read. */
            mapping: components["schemas"]["TableMapping"] | null;
            /** @description Values of the table that look like a code for "missing" and were said to be values. */
            measured_values: string[];
            meta: {
                /** @description Columns of numbers that look like codes for groups: few different whole numbers. */
                codes: string[];
                /** @description The chromosomes, as CSV. */
                contigs_url: string | null;
                /** @description Columns of numbers that the file gives as covariates of its traits, and that are no traits. */
                covariates: string[];
                /** @description The file as it was uploaded. */
                file_url: string | null;
                /** @description Columns of words or of the design, which a GWAS can take as covariates. */
                groups: string[];
                /** @description Linkage map with positions from bp, 1,000,000 bp per cM. */
                linkmaptemp_url: string | null;
                /** @description Figures of every marker, as CSV; null for files that were checked by an older version. */
                marker_qc_url: string | null;
                /** @description Signed URL of what `…/qc` returns. */
                qc_url: string | null;
                /** @description Figures of every individual, as CSV; null for files that were checked by an older version. */
                sample_qc_url: string | null;
                /** @description The individuals, as CSV. */
                samples_url: string | null;
                /** @description The markers, as CSV. */
                snpids_url: string | null;
                /** @description Columns of numbers. */
                traits: string[];
            };
            /** @description Values of the table that were read as missing by choice. */
            missing_codes: string[];
            name: string;
            numeric_coding: {
                coding: ("0/1/2" | "-1/0/1" | "0/1") | null;
                confirmed: boolean;
                fits: ("0/1/2" | "-1/0/1" | "0/1")[];
            } | null;
            path: components["schemas"]["Reference"][];
            problem_totals: {
                errors: number;
                infos: number;
                warnings: number;
            };
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            /** @description Individuals of a genotype, phenotype or pedigree file, crosses of a crossing table, markers of a map; null until checked. */
            row_count: number | null;
            sha256: string | null;
            size_bytes: number;
            /**
             * @description UPLOADED and CHECKING are temporary. Runs accept files that are READY or READY_WITH_WARNINGS.
             * @enum {string}
             */
            status: "UPLOADED" | "CHECKING" | "READY" | "READY_WITH_WARNINGS" | "INVALID";
            /** Format: date-time */
            updated_at: string;
            /** @description This file and others of which one collects what BrAPI clients wrote for another, the newest first. */
            versions: {
                /** Format: date-time */
                created_at: string;
                file: components["schemas"]["Reference"];
                /** @description 0: the file as it was uploaded. */
                version: number;
            }[] | null;
        };
        FileProblem: {
            code: string;
            column: string | null;
            /** @description From 1, the header included. */
            line: number | null;
            message: string;
            /** @enum {string} */
            severity: "error" | "warning" | "info";
            /** @description What to do. */
            suggestion: string | null;
            value: string | null;
        };
        FileProblems: {
            by_code: {
                [key: string]: number;
            };
            data: components["schemas"]["FileProblem"][];
            next_cursor: string | null;
            /** @description Of all problems; at most 1,000 are kept and listed. */
            totals: {
                errors: number;
                infos: number;
                warnings: number;
            };
        };
        FileQc: {
            contigs: {
                density: number[];
                length_bp: number;
                markers: number;
                name: string;
            }[];
            /** @description The allele that dosages and effects count. */
            counted_allele: string;
            duplicate_search?: {
                /** @description Markers compared. */
                markers: number;
                /** @description All pairs found. */
                pairs: number;
                /** @description Why there was no search: fewer than 100 polymorphic markers, more than 50,000 individuals. */
                skipped: ("few-markers" | "many-samples") | null;
                /** @description Similar pairs that were not compared at all of these markers. */
                unverified: number;
            };
            /** @description Pairs with more than 99 % of equal calls, at most 1,000. */
            duplicates: {
                first: string;
                identity: number;
                second: string;
            }[];
            /** @description Heterozygotes among all called genotypes. */
            heterozygous_share?: number;
            /** @description Exact test of Hardy–Weinberg equilibrium (Wigginton et al. 2005). */
            hwe?: {
                /** @description Markers with p < 1e-6. */
                below_1e_6: number;
                /** @description Of these, markers with fewer heterozygotes than expected. */
                fewer_heterozygotes: number;
                /** @description Mean F above 0.5: fewer heterozygotes are expected at every marker, and say nothing against it. */
                is_inbred_panel: boolean;
                more_heterozygotes: number;
                /** @description −log10 p; values above the range are counted in the last bin. */
                neg_log10_p: components["schemas"]["Histogram"];
                /** @description Polymorphic markers. */
                tested: number;
            };
            /** @constant */
            kind: "genotype";
            /** @description Kinship ordered by clustering, row-major, for at most 500 individuals; null for larger panels. */
            kinship: {
                names: string[];
                values: number[];
            } | null;
            /** @description Decay of LD with distance; null without positions. */
            ld_decay?: components["schemas"]["LdDecay"] | null;
            marker_call_rate: components["schemas"]["Histogram"];
            marker_heterozygosity: components["schemas"]["Histogram"];
            marker_maf: components["schemas"]["Histogram"];
            markers: number;
            /** @description Markers that pass the defaults of a run: MAF ≥ 0.05, call rate ≥ 0.90. */
            markers_after_default_qc: number;
            mean_inbreeding?: number | null;
            /** @description Mean over individuals of the share of heterozygotes among their calls. */
            mean_individual_heterozygosity?: number;
            missing_share: number;
            pca: {
                eigenvalues?: number[];
                /** @description Not all of these markers were used. */
                is_approximate?: boolean;
                /** @description Markers used, for the kinship too. */
                markers?: number;
                /** @description Markers that pass the default filter. */
                of_markers?: number;
                points: {
                    name: string;
                    pc: number[];
                }[];
                shares: number[];
            } | null;
            phased: boolean;
            sample_call_rate: components["schemas"]["Histogram"];
            sample_heterozygosity: components["schemas"]["Histogram"];
            /** @description Inbreeding coefficients F by the method of moments. */
            sample_inbreeding?: components["schemas"]["Histogram"];
            samples: number;
            /** @description Individuals with a call rate below 0.8. */
            samples_below_call_rate?: number;
            /** @description One row a sample, at most 20,000. */
            samples_table: {
                call_rate: number;
                heterozygosity: number;
                inbreeding?: number | null;
                name: string;
            }[];
        } | {
            /** @description Pearson correlations of the numeric traits, row-major over `names`; null where fewer than 3 pairs. */
            correlations: {
                names: string[];
                values: (number | null)[];
            };
            /** @description How many values of how many individuals an environment holds, by trait in the order of `traits`; absent without design columns. */
            environments?: {
                individuals: number[];
                name: string;
                observations: number[];
            }[];
            individuals: number;
            /** @constant */
            kind: "phenotype";
            /** @description One entry per numeric trait; absent when no individual has several observations of any trait. */
            means?: components["schemas"]["MeansSummary"][];
            /** @enum {string} */
            shape: "wide" | "wide-design" | "long";
            traits: {
                /** @description H² on an entry-mean basis, 1 − MS(error)/MS(lines); null where it cannot be estimated. */
                h2: number | null;
                histogram: components["schemas"]["Histogram"] | null;
                /** @description The file gives it as a covariate of its traits. Absent in older files. */
                is_covariate?: boolean;
                /** @enum {string} */
                kind: "numeric" | "categorical";
                max: number | null;
                mean: number | null;
                min: number | null;
                n: number;
                name: string;
                outliers: {
                    individual: string;
                    line: number | null;
                    value: number;
                }[];
                sd: number | null;
                unit: string | null;
            }[];
        } | {
            chromosomes: {
                length_cm: number | null;
                markers: number;
                name: string;
            }[];
            /** @constant */
            kind: "linkage_map";
            markers: number;
        } | {
            crosses: {
                female: string;
                male: string;
                name: string;
                progeny_count: number | null;
                type?: string;
            }[];
            /** @constant */
            kind: "crossing_table";
        } | {
            /** @description Crosses in between that were created from pedigree strings. */
            added_crosses: number;
            /** @description Founders that are named only as parents. */
            added_founders: number;
            /** @description Individuals without known parents. */
            founders: number;
            /** @description Individuals by the longest way down from a founder, founders first. */
            generations: number[];
            inbreeding: components["schemas"]["Histogram"];
            individuals: number;
            /** @constant */
            kind: "pedigree";
            /** @description Of all pairs, each with itself included. */
            mean_coancestry: number;
            mean_inbreeding: number;
            /** @description Highest inbreeding, at most 100; fully inbred lines are left out. */
            most_inbred: {
                inbreeding: number;
                mean_coancestry: number;
                name: string;
            }[];
            /** @description Individuals with one unknown parent. */
            one_parent: number;
            /** @description Individuals of one plant: selfed, doubled haploid or cloned. */
            selfed: number;
        } | {
            chromosomes: {
                genes: number;
                length_bp: number;
                name: string;
            }[];
            genes: number;
            /** @constant */
            kind: "genes";
            /** @description Genes with a name besides their id. */
            named: number;
        };
        FileUsage: {
            data: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                kind: "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation";
                name: string;
            }[];
        };
        FirstRows: {
            /** @description What each column holds: as it was told, or as it probably does. */
            columns: {
                name: string;
                /** @enum {string} */
                role: "individual" | "environment" | "location" | "year" | "treatment" | "replicate" | "block" | "row" | "column" | "plot" | "plant" | "sowing" | "check" | "trait" | "value" | "timestamp" | "female" | "male" | "parent3" | "parent4" | "name" | "progeny" | "type" | "marker" | "chromosome" | "basePairs" | "mapPosition" | "collection" | "crossType" | "generation" | "purdy" | "accessionNumber" | "synonyms" | "otherNumbers" | "crop" | "entryNo" | "femaleEntry" | "maleEntry" | "parent" | "parentKind" | "measurement" | "covariate" | "attribute" | "ignore";
            }[];
            /** @description As it was told; null when both are read. */
            decimal_mark: ("." | ",") | null;
            /** @description Where the header was found; 0 when there is none. */
            header_line: number;
            header_rows: number;
            missing_codes: string[];
            /** @description The organization reads files with this header by a mapping that it keeps. */
            remembered: boolean;
            rows: {
                cells: string[];
                line: number;
            }[];
            /** @description Null for a workbook. */
            separator: ("," | ";" | "\t" | "|" | " ") | null;
            sheet: string | null;
            /** @description Of a workbook. */
            sheets: string[];
        };
        Folder: {
            /** Format: date-time */
            created_at: string;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            folder_id: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            project_id: string;
            /** Format: date-time */
            updated_at: string;
        };
        FolderDetail: {
            /** Format: date-time */
            created_at: string;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            folder_id: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description From the root down to the folder itself. */
            path: components["schemas"]["Reference"][];
            /** Format: uuid */
            project_id: string;
            /** Format: date-time */
            updated_at: string;
        };
        FoundThing: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "file" | "folder" | "germplasm" | "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation";
            name: string;
            /** @description Type of a file; the synonym of a germplasm that was found; otherwise null. */
            note: string | null;
        };
        GebvRow: {
            /** @description Breeding value, in units of the trait, with its mean. */
            gebv: number;
            /** @description With dominance: what the individual itself is expected to show; null without. */
            genotypic: number | null;
            /** @description 0–1; null without dominance. */
            genotypic_reliability: number | null;
            individual: string;
            /** @description The phenotype that the model was trained on; null where there was none. */
            observed: number | null;
            rank: number;
            /** @description 0–1. */
            reliability: number | null;
        };
        Germplasm: {
            /** @description Further columns of the upload. */
            attributes: {
                [key: string]: string;
            };
            /** @description Population, family or panel. */
            collection: string | null;
            /** Format: date-time */
            created_at: string;
            crop: components["schemas"]["Reference"];
            /** @description Null: an ordinary cross, or not known. */
            cross_type: ("BIPARENTAL" | "BACKCROSS" | "SELF" | "DH" | "CLONE" | "OPEN_POLLINATED") | null;
            /** Format: uuid */
            id: string;
            maternal: components["schemas"]["Reference"] | null;
            /** @description Female parent; null when unknown. */
            maternal_id: string | null;
            name: string;
            paternal: components["schemas"]["Reference"] | null;
            /** @description Male parent; null when unknown. */
            paternal_id: string | null;
            /** @description Generations of selfing since the cross: 0 is the F1, 1 the F2. Null when not known. */
            selfing_generations: number | null;
            synonyms: components["schemas"]["GermplasmSynonym"][];
            /** Format: date-time */
            updated_at: string;
        };
        GermplasmChange: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            germplasm: components["schemas"]["Reference"];
            /** Format: uuid */
            id: string;
            into: components["schemas"]["Reference"] | null;
            /** @enum {string} */
            kind: "MERGE" | "DELETE";
            undone_at: string | null;
        };
        GermplasmDetail: {
            /** @description Further columns of the upload. */
            attributes: {
                [key: string]: string;
            };
            /** @description Population, family or panel. */
            collection: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            crop: components["schemas"]["Reference"];
            /** @description Null: an ordinary cross, or not known. */
            cross_type: ("BIPARENTAL" | "BACKCROSS" | "SELF" | "DH" | "CLONE" | "OPEN_POLLINATED") | null;
            /** Format: uuid */
            id: string;
            maternal: components["schemas"]["Germplasm"] | null;
            /** @description Female parent; null when unknown. */
            maternal_id: string | null;
            /** @description Germplasm that was merged into this one. */
            merged: components["schemas"]["GermplasmChange"][];
            name: string;
            occurrences: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                kind: "GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES" | "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation";
                name: string;
                project: components["schemas"]["Reference"];
                /** @description Its name in the file; null for runs, which use one of the files. */
                written: string | null;
            }[];
            paternal: components["schemas"]["Germplasm"] | null;
            /** @description Male parent; null when unknown. */
            paternal_id: string | null;
            /** @description The first 100 by name. */
            progeny: components["schemas"]["Germplasm"][];
            progeny_count: number;
            /** @description Generations of selfing since the cross: 0 is the F1, 1 the F2. Null when not known. */
            selfing_generations: number | null;
            synonyms: components["schemas"]["GermplasmSynonym"][];
            /** Format: date-time */
            updated_at: string;
        };
        GermplasmList: {
            data: components["schemas"]["Germplasm"][];
            /** @description Null on the last page. */
            next_cursor: string | null;
            /** @description All that match; only on the first page. */
            total: number | null;
        };
        GermplasmSynonym: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            crop_id: string;
            /** Format: uuid */
            germplasm_id: string;
            name: string;
        };
        GermplasmUpload: {
            /** @description Columns kept as attributes. */
            attributes: string[];
            by_code: {
                [key: string]: number;
            };
            /** @description Which column of the file was taken for what. */
            columns: {
                [key: string]: string;
            };
            counts: {
                change: number;
                /** @description Rows whose values differ from stored ones. */
                conflicts: number;
                create: number;
                /** @description Parents named nowhere else, which are created. */
                founders: number;
                refused: number;
                repeat: number;
                same: number;
            };
            /** Format: date-time */
            created_at: string;
            crop: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** @enum {string} */
            existing: "keep" | "fill" | "overwrite";
            file_name: string;
            generate_unknown_parent: boolean;
            /** @description Whether `…/first_rows` has something to show. */
            has_first_rows: boolean;
            /** Format: uuid */
            id: string;
            /** @description The columns are read as those of earlier files with the same header. */
            is_mapping_kept: boolean;
            /** @description How its columns are read, as it was told; null: as they are found. */
            mapping: components["schemas"]["TableMapping"] | null;
            /** @description False: only new names may be added, and what exists is kept. */
            may_change: boolean;
            /** @description The first 1,000. */
            problems: components["schemas"]["FileProblem"][];
            /** @enum {string} */
            status: "CHECKING" | "REVIEW" | "ACCEPTING" | "ACCEPTED" | "FAILED";
            totals: {
                errors: number;
                infos: number;
                warnings: number;
            };
            /**
             * Format: date-time
             * @description Changes with every check.
             */
            updated_at: string;
        };
        GermplasmUploadRow: {
            /** @enum {string} */
            action: "create" | "change" | "same" | "repeat" | "refused";
            attributes: {
                [key: string]: string;
            };
            changes: {
                field: string;
                from: string | null;
                to: string;
            }[];
            collection: string | null;
            cross_type: ("BIPARENTAL" | "BACKCROSS" | "SELF" | "DH" | "CLONE" | "OPEN_POLLINATED") | null;
            /** @description Confirmed: another line than the one whose name looks the same. */
            is_distinct: boolean;
            is_edited: boolean;
            line: number;
            maternal: string | null;
            name: string;
            paternal: string | null;
            selfing_generations: number | null;
            severity: ("error" | "warning" | "info") | null;
            synonyms: string[];
            /** @description The stored germplasm that the row means. */
            target: string | null;
        };
        GermplasmValues: {
            data: {
                /** @description Behind a mean of a phenotype file. */
                observations: number | null;
                project: components["schemas"]["Reference"];
                /** @description Of a GEBV. */
                reliability: number | null;
                source: {
                    /** Format: uuid */
                    id: string;
                    /** @enum {string} */
                    kind: "PHENOTYPE" | "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation";
                    name: string;
                };
                trait: string;
                unit: string | null;
                /** @description Of a phenotype file its mean, of a run its GEBV. */
                value: number | null;
                /** @description Its name there. */
                written: string;
            }[];
            /** @description Null on the last page. */
            next_cursor: string | null;
        };
        Gwas: {
            /** @description Markers taken as fixed effects: every other one is tested given them. */
            condition_on: string[];
            /** @description Columns of the phenotype file taken as fixed effects. */
            covariates: string[];
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description Whether the dominance deviation of each marker was tested too. */
            dominance: boolean;
            /** @description Trait → why it failed; null unless its state is ERROR. */
            error_extras: {
                [key: string]: components["schemas"]["ErrorExtra"] | null;
            };
            /** @description Principal components taken as fixed effects. */
            fixed: number;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description Trait → signed URL of the Manhattan plot (SVG). */
            image_urls: {
                [key: string]: string | null;
            };
            /** @description Whether each marker was tested with the kinship of the other chromosomes, in a null model of its own. */
            loco: boolean;
            name: string;
            phenotype_id: string | null;
            phenotype_name: string | null;
            /** @description Trait → its progress; null when it has ended. */
            progress: {
                [key: string]: components["schemas"]["Progress"] | null;
            };
            /** Format: uuid */
            project_id: string;
            /** @description Trait → signed URL of all results as CSV. */
            result_urls: {
                [key: string]: string | null;
            };
            /** @description Trait → state. */
            status: {
                [key: string]: "PROCESSING" | "SUCCESS" | "ERROR";
            };
            summary: {
                [key: string]: {
                    /** @description Markers whose h² ended at 0 or 0.99, the ends of its range. */
                    at_bound?: number;
                    /** @description p-value threshold, 5 % over all tests. */
                    bonferroni: number;
                    /** @description The null model of each chromosome with `loco`; h2 and kinship_pve are then those of all markers. */
                    chromosomes_left_out?: {
                        /** @description Null for the markers without a chromosome, which are tested with the kinship of all markers. */
                        chromosome: string | null;
                        /** @description h2 of the kinship that lacks these markers and those without a chromosome. */
                        h2: number;
                        kinship_pve: number;
                        /** @description Markers tested. */
                        markers: number;
                    }[];
                    /** @description Clumps of hits in LD; absent where not asked for. */
                    clumps?: number;
                    /** @description Markers that the tests are conditioned on; absent where there are none. */
                    conditioned_on?: {
                        name: string;
                        /** @enum {string} */
                        use: "used" | "constant" | "explained";
                    }[];
                    covariates?: {
                        /** @description For columns of text and of the design: the groups that were compared with the reference. */
                        groups?: {
                            alone: string[];
                            count: number;
                            explained: string[];
                            reference: string;
                        };
                        name: string;
                        /** @enum {string} */
                        use: "used" | "constant" | "explained";
                    }[];
                    /** @description Independent tests among the markers, after Li & Ji (2005). */
                    effective_tests: number | null;
                    /** @description Markers in each block where chromosomes were too large to be taken whole for effective_tests. */
                    effective_tests_block?: number | null;
                    /** @description Absent from runs of versions before 1.2. */
                    engine?: components["schemas"]["EngineChoice"];
                    /** @description Largest p-value with a false discovery rate of at most 5 %; null when nothing passes. */
                    fdr: number | null;
                    /** @description Markers with p up to `fdr`; absent from runs of versions before 1.1. */
                    fdr_hits?: number;
                    /** @description σ²g/(σ²g + σ²e) without any marker, 0–1. */
                    h2: number;
                    /** @description Standard error of h2; null at a bound, absent from runs of versions before 1.1. */
                    h2_se?: number | null;
                    /** @description Markers below the Bonferroni threshold. */
                    hits: number;
                    /** @description Share of the phenotypic variance that the kinship explains, 0–1. */
                    kinship_pve?: number;
                    kinship_pve_se?: number | null;
                    /** @description Genomic inflation factor: median χ² against its expectation. */
                    lambda: number;
                    /** @description Absent when nothing was to be left out. */
                    left_out?: components["schemas"]["LeftOut"];
                    /** @description Markers tested. */
                    m: number;
                    /** @description Individuals. */
                    n: number;
                    /** @description Absent where no permutations were asked for. */
                    permutations?: {
                        count: number;
                        /** @description Markers at or below it. */
                        hits: number;
                        /** @description p-value threshold, 5 % over all markers. */
                        p: number;
                        seed: number;
                    };
                    /** @description Markers that explain the trait together (MLMM, Segura et al. 2012); absent where not asked for. */
                    stepwise?: {
                        /** @description Index of the model with the smallest mBIC. */
                        chosen: number;
                        /** @description From the model without markers on, in the order in which they were fitted. */
                        models: components["schemas"]["LocusModel"][];
                    };
                    top: {
                        chr: string;
                        id: string;
                        p: number;
                        pos: number;
                    } | null;
                    /** @description Individuals with a value of the trait that were left out because a covariate is missing. */
                    without_covariate?: number;
                } | null;
            };
            /** @enum {string} */
            test: "LRT" | "WALD" | "SCORE";
            thresh_callrate: number;
            thresh_maf: number;
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        GwasClumps: {
            /** @description By ascending p. */
            data: {
                chr: string;
                id: string;
                /** @description The others, by position. */
                members: {
                    chr: string;
                    id: string;
                    p: number;
                    /** @description In bp. */
                    pos: number;
                }[];
                p: number;
                /** @description In bp. */
                pos: number;
            }[];
            rule: components["schemas"]["ClumpingRule"];
        };
        GwasDetail: {
            /** @description Chromosomes in natural order, per trait. */
            chromosomes: {
                [key: string]: string[];
            };
            /** @description Markers taken as fixed effects: every other one is tested given them. */
            condition_on: string[];
            /** @description Columns of the phenotype file taken as fixed effects. */
            covariates: string[];
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            description: string | null;
            /** @description Whether the dominance deviation of each marker was tested too. */
            dominance: boolean;
            /** @description Trait → why it failed; null unless its state is ERROR. */
            error_extras: {
                [key: string]: components["schemas"]["ErrorExtra"] | null;
            };
            /** @description Principal components taken as fixed effects. */
            fixed: number;
            genotype: components["schemas"]["Reference"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description Signed URL of the Manhattan plot of the first trait (SVG). */
            image: string | null;
            /** @description Trait → signed URL of the Manhattan plot (SVG). */
            image_urls: {
                [key: string]: string | null;
            };
            left_out: components["schemas"]["LeftOut"] | null;
            /** @description Signed URL: each individual and marker left out, with its rule. */
            left_out_csv_url: string | null;
            /** @description Whether each marker was tested with the kinship of the other chromosomes, in a null model of its own. */
            loco: boolean;
            /** @description A paragraph for the methods section of a paper. */
            methods: string;
            /** @description The model in words, for example "y = Xb + gβ + u + e, 3 PCs, K standardized". */
            model: string;
            name: string;
            phenotype: components["schemas"]["Reference"] | null;
            phenotype_id: string | null;
            phenotype_name: string | null;
            /** @description Trait → its progress; null when it has ended. */
            progress: {
                [key: string]: components["schemas"]["Progress"] | null;
            };
            /** Format: uuid */
            project_id: string;
            provenance: {
                created_by: string | null;
                finished_at: string | null;
                /** @description Input role → SHA-256 of the original file. */
                input_sha256: {
                    [key: string]: string;
                };
                parameters: {
                    /** @description Put the hits in LD with each other together. Absent: they are not. */
                    clumps?: components["schemas"]["ClumpingRule"];
                    condition_on?: string[];
                    /** @description Covariate → how it is taken: factor for numbers that are codes for groups, numeric for a measurement. Without an entry numbers are numeric, words and design columns factors. */
                    covariate_kinds?: {
                        [key: string]: "numeric" | "factor";
                    };
                    covariates?: string[];
                    dominance?: boolean;
                    exclusions?: components["schemas"]["Exclusions"];
                    fixed: number;
                    loco?: boolean;
                    permutations?: number;
                    /** @description Names that stand for names of the genotype, in this run only. */
                    renames?: {
                        /** @description Name in the phenotype file or crossing table. */
                        from: string;
                        /** @description Name in the genotype file. */
                        to: string;
                    }[];
                    stepwise?: number;
                    /** @enum {string} */
                    test: "LRT" | "WALD" | "SCORE";
                    thresh_callrate: number;
                    thresh_maf: number;
                };
                /** @description From start to end. */
                seconds: number | null;
                /** @description Null when nothing is random. */
                seed: number | null;
                software_version: string;
                started_at: string | null;
            };
            /** @description Trait → signed URL of all results as CSV. */
            result_urls: {
                [key: string]: string | null;
            };
            /** @description Trait → state. */
            status: {
                [key: string]: "PROCESSING" | "SUCCESS" | "ERROR";
            };
            summary: {
                [key: string]: {
                    /** @description Markers whose h² ended at 0 or 0.99, the ends of its range. */
                    at_bound?: number;
                    /** @description p-value threshold, 5 % over all tests. */
                    bonferroni: number;
                    /** @description The null model of each chromosome with `loco`; h2 and kinship_pve are then those of all markers. */
                    chromosomes_left_out?: {
                        /** @description Null for the markers without a chromosome, which are tested with the kinship of all markers. */
                        chromosome: string | null;
                        /** @description h2 of the kinship that lacks these markers and those without a chromosome. */
                        h2: number;
                        kinship_pve: number;
                        /** @description Markers tested. */
                        markers: number;
                    }[];
                    /** @description Clumps of hits in LD; absent where not asked for. */
                    clumps?: number;
                    /** @description Markers that the tests are conditioned on; absent where there are none. */
                    conditioned_on?: {
                        name: string;
                        /** @enum {string} */
                        use: "used" | "constant" | "explained";
                    }[];
                    covariates?: {
                        /** @description For columns of text and of the design: the groups that were compared with the reference. */
                        groups?: {
                            alone: string[];
                            count: number;
                            explained: string[];
                            reference: string;
                        };
                        name: string;
                        /** @enum {string} */
                        use: "used" | "constant" | "explained";
                    }[];
                    /** @description Independent tests among the markers, after Li & Ji (2005). */
                    effective_tests: number | null;
                    /** @description Markers in each block where chromosomes were too large to be taken whole for effective_tests. */
                    effective_tests_block?: number | null;
                    /** @description Absent from runs of versions before 1.2. */
                    engine?: components["schemas"]["EngineChoice"];
                    /** @description Largest p-value with a false discovery rate of at most 5 %; null when nothing passes. */
                    fdr: number | null;
                    /** @description Markers with p up to `fdr`; absent from runs of versions before 1.1. */
                    fdr_hits?: number;
                    /** @description σ²g/(σ²g + σ²e) without any marker, 0–1. */
                    h2: number;
                    /** @description Standard error of h2; null at a bound, absent from runs of versions before 1.1. */
                    h2_se?: number | null;
                    /** @description Markers below the Bonferroni threshold. */
                    hits: number;
                    /** @description Share of the phenotypic variance that the kinship explains, 0–1. */
                    kinship_pve?: number;
                    kinship_pve_se?: number | null;
                    /** @description Genomic inflation factor: median χ² against its expectation. */
                    lambda: number;
                    /** @description Absent when nothing was to be left out. */
                    left_out?: components["schemas"]["LeftOut"];
                    /** @description Markers tested. */
                    m: number;
                    /** @description Individuals. */
                    n: number;
                    /** @description Absent where no permutations were asked for. */
                    permutations?: {
                        count: number;
                        /** @description Markers at or below it. */
                        hits: number;
                        /** @description p-value threshold, 5 % over all markers. */
                        p: number;
                        seed: number;
                    };
                    /** @description Markers that explain the trait together (MLMM, Segura et al. 2012); absent where not asked for. */
                    stepwise?: {
                        /** @description Index of the model with the smallest mBIC. */
                        chosen: number;
                        /** @description From the model without markers on, in the order in which they were fitted. */
                        models: components["schemas"]["LocusModel"][];
                    };
                    top: {
                        chr: string;
                        id: string;
                        p: number;
                        pos: number;
                    } | null;
                    /** @description Individuals with a value of the trait that were left out because a covariate is missing. */
                    without_covariate?: number;
                } | null;
            };
            /** @enum {string} */
            test: "LRT" | "WALD" | "SCORE";
            thresh_callrate: number;
            thresh_maf: number;
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        GwasMarker: {
            /** @description Phenotypes of the individuals with 0, 1 and 2 copies of A2. */
            classes: {
                dosage: number;
                genotype: string;
                values: number[];
            }[];
            /** @description r² with markers within the window, by position. */
            neighbours: {
                id: string;
                neg_log10_p: number;
                p: number;
                pos: number;
                r2: number;
            }[];
            row: components["schemas"]["GwasRow"];
        };
        GwasQq: {
            lambda: number;
            m: number;
            /** @description Expected and observed −log10 p. */
            points: [
                number,
                number
            ][];
        };
        GwasRegion: {
            /** @description From the newest gene annotation of the project; null without one. */
            genes: {
                /** @description By position, at most 400. */
                data: {
                    description: string;
                    end: number;
                    id: string;
                    name: string;
                    start: number;
                    /** @description 1 forward, −1 reverse, 0 not given. */
                    strand: number;
                }[];
                file: components["schemas"]["Reference"];
                total: number;
            } | null;
            /** @description The marker that r² is computed with; null when there is no marker. */
            lead: string | null;
            /** @description By position; of more than 5,000 those around the lead. */
            markers: {
                /** @description Effect of a copy of A2, in units of the trait; null with LRT and SCORE in runs of versions before 1.1. */
                beta: number | null;
                id: string;
                /** @description −log10 p, exact where p is too small for a number. */
                neg_log10_p: number;
                p: number;
                /** @description In bp. */
                pos: number;
                /** @description With the lead, over the individuals of the run. */
                r2: number | null;
                /** @description Standard error of beta. */
                sd: number | null;
            }[];
            /** @description From the newest linkage map of the project; null without one. */
            recombination: {
                data: {
                    cm_per_mb: number;
                    end: number;
                    start: number;
                }[];
                file: components["schemas"]["Reference"];
            } | null;
            /** @description Markers in the region. */
            total: number;
        };
        GwasRow: {
            /** @description The other allele (REF of a VCF). */
            A1: string;
            /** @description The counted allele (ALT of a VCF). */
            A2: string;
            /** @description Whether h2 ended at 0 or 0.99, the ends of its range. */
            at_bound: boolean;
            /** @description Effect of a copy of A2, in units of the trait; null with LRT and SCORE in runs of versions before 1.1. */
            beta: number | null;
            chr: string;
            /** @description First marker of the clump that it is in; absent where hits were not put together, null outside. */
            clump?: string | null;
            /** @description Heterozygote above the middle of the homozygotes; absent without dominance, null where undefined. */
            dom_effect?: number | null;
            dom_p?: number | null;
            dom_se?: number | null;
            /** @description Frequency of A2, 0–1. */
            freqA2: number;
            /** @description Heritability with this marker in the model. */
            h2: number | null;
            id: string;
            /** @description Statistic of LRT; 0 where another test was run. */
            LRT: number;
            /** @description Individuals. */
            n: number;
            /** @description −log10 p, exact where p is too small for a number. */
            neg_log10_p: number;
            p: number;
            /** @description In bp. */
            pos: number;
            /** @description Share of the phenotypic variance explained: beta²/(beta² + n·sd²). */
            pve: number | null;
            /** @description False discovery rate (Benjamini & Hochberg 1995). */
            q: number | null;
            /** @description Statistic of SCORE; 0 where another test was run. */
            score: number;
            /** @description Standard error of beta. */
            sd: number | null;
        };
        Histogram: {
            /** @description In bins of equal width from min to max. */
            counts: number[];
            max: number;
            min: number;
        };
        Invitation: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            organization: {
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                name: string;
                /** Format: date-time */
                updated_at: string;
            } | null;
            project: {
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                name: string;
                /** Format: date-time */
                updated_at: string;
            } | null;
            /** @description E-mail address. */
            recipient: string;
            /** @enum {string} */
            role: "OWNER" | "MANAGER" | "MEMBER";
            /** @description Name, or e-mail address of a person without one. */
            sender: string;
        };
        Invoice: {
            /** @description In the smallest unit of the currency; negative for a credit. */
            amount: number;
            /** Format: date-time */
            created_at: string;
            /** @description ISO 4217 code in lower case, for example `usd`. */
            currency: string;
            description: string | null;
            /** @description Null: `GET …/invoices/{id}/document` has it. */
            download_url: string | null;
            id: string;
            number: string | null;
            /** @description Where an open invoice is paid. */
            payment_url: string | null;
            /**
             * @description Without a payment service it is `issued`, and paid outside of Heterosis.
             * @enum {string}
             */
            status: "issued" | "draft" | "open" | "paid" | "uncollectible" | "void";
        };
        KeptSynonyms: {
            data: {
                germplasm: components["schemas"]["Reference"];
                synonym: string;
            }[];
        };
        LdDecay: {
            /** @description Pairs of markers by distance: from ≤ distance < to. */
            bins: {
                /** @description Mean distance of the pairs. */
                distance: number;
                from: number;
                pairs: number;
                /** @description Mean r² of the pairs. */
                r2: number;
                to: number;
            }[];
            /** @description The 60 chromosomes with the most markers. */
            chromosomes: {
                /** @description Pairs of markers by distance: from ≤ distance < to. */
                bins: {
                    /** @description Mean distance of the pairs. */
                    distance: number;
                    from: number;
                    pairs: number;
                    /** @description Mean r² of the pairs. */
                    r2: number;
                    to: number;
                }[];
                /** @description The curve of Hill & Weir (1988) through the bins; null where it cannot be fitted. */
                fit: {
                    half_distance: number | null;
                    /** @description The curve at the mean distance of each bin. */
                    r2: number[];
                    r2_02_distance: number | null;
                    rho: number;
                } | null;
                /** @description Where the means fall to half of the first bin's and to 0.2; null where they do not. */
                mean: {
                    half_distance: number | null;
                    r2_02_distance: number | null;
                };
                name: string;
            }[];
            /** @description The curve of Hill & Weir (1988) through the bins; null where it cannot be fitted. */
            fit: {
                half_distance: number | null;
                /** @description The curve at the mean distance of each bin. */
                r2: number[];
                r2_02_distance: number | null;
                rho: number;
            } | null;
            individuals: number;
            /** @description Markers whose pairs were considered. */
            markers: number;
            /** @description Where the means fall to half of the first bin's and to 0.2; null where they do not. */
            mean: {
                half_distance: number | null;
                r2_02_distance: number | null;
            };
            /** @description Markers that pass the default filter and have a position. */
            of_markers: number;
            /** @description Pairs of these markers on the same chromosome. */
            of_pairs: number;
            /** @description Pairs computed. */
            pairs: number;
            /** @enum {string} */
            unit: "bp" | "cM";
        };
        /** @description What lists and rules left out of the genotype of a run. */
        LeftOut: {
            markers_kept: number;
            markers_read: number;
            /** @description In the order in which they applied. */
            rules: {
                /** @description Individuals or markers that this rule left out. */
                count: number;
                /** @description Null for lists and duplicates; r² of ld_pruning. */
                limit: number | null;
                /** @enum {string} */
                rule: "only_samples" | "samples" | "markers" | "sample_call_rate" | "sample_heterozygosity" | "duplicates" | "marker_call_rate" | "maf" | "ld_pruning";
                /**
                 * @description Why duplicates were not searched for.
                 * @enum {string}
                 */
                skipped?: "few-markers" | "many-samples";
            }[];
            samples_kept: number;
            samples_read: number;
        };
        List: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            description: string | null;
            /** Format: uuid */
            id: string;
            /**
             * @description What the list names: lines (as files and results write them), or markers.
             * @enum {string}
             */
            kind: "germplasm" | "markers";
            name: string;
            /** Format: uuid */
            project_id: string;
            /** @description Names on the list. */
            size: number;
            /** Format: date-time */
            updated_at: string;
        };
        ListDetail: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            description: string | null;
            /** Format: uuid */
            id: string;
            /**
             * @description What the list names: lines (as files and results write them), or markers.
             * @enum {string}
             */
            kind: "germplasm" | "markers";
            /** @description Names in their order. */
            members: string[];
            name: string;
            /** Format: uuid */
            project_id: string;
            /** @description Names on the list. */
            size: number;
            /** Format: date-time */
            updated_at: string;
        };
        LocusModel: {
            /**
             * @description While markers were taken up, or dropped again.
             * @enum {string}
             */
            direction: "forward" | "backward";
            /** @description Extended Bayesian information criterion. */
            ebic: number;
            /** @description σ²g/(σ²g + σ²e) beside the markers, 0–1. */
            h2: number;
            log_likelihood: number;
            markers: {
                chr: string;
                /** @description Of one copy of A2 beside the other markers, in units of the trait. */
                effect: number;
                effect_se: number;
                id: string;
                /** @description Wald test beside the other markers. */
                p: number;
                /** @description In bp. */
                pos: number;
                /** @description Share of the phenotypic variance that it explains beside them, 0–1. */
                pve: number;
            }[];
            /** @description Modified Bayesian information criterion; the smaller the better. */
            mbic: number;
            /** @description Share of the phenotypic variance that the markers explain together, 0–1. */
            pve: number;
        };
        MarkerEffect: {
            /** @description The other allele (REF of a VCF). */
            A1: string;
            /** @description The counted allele (ALT of a VCF). */
            A2: string;
            /** @description Per copy of A2, in units of the trait. */
            additive: number;
            chr: string;
            dominance: number | null;
            /** @description Frequency of A2, 0–1. */
            freqA2: number;
            id: string;
            pos: number;
        };
        MatchResult: {
            /** @description Names that could mean several others; they match none. */
            ambiguous: {
                candidates: string[];
                name: string;
                /** @description Each of them settles for a run which one is meant. */
                renames: {
                    /** @description Name in the phenotype file or crossing table. */
                    from: string;
                    /** @description Name in the genotype file. */
                    to: string;
                }[];
            }[];
            both: number;
            both_names: {
                /** @enum {string} */
                how: "exact" | "synonym" | "folded" | "rename";
                left: string;
                right: string;
            }[];
            /** @description Individuals with both a genotype and a value, by trait. */
            by_trait: {
                [key: string]: number;
            };
            /** @description False when a run on these inputs would be refused; `reason` says why. */
            can_run: boolean;
            /** @description What lists and rules keep of the genotype, from its quality figures; null when none are given. */
            kept: {
                /** @description False where rules follow on each other: figures of the whole file decide here, in the run those of what is left. */
                is_exact: boolean;
                markers: number;
                samples: number;
            } | null;
            /** @description The genotype, and its number of names. */
            left: {
                count: number;
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** @description Markers of the genotype: in all, and with this MAF and call rate or more over the whole file. */
            markers: {
                after_qc: number;
                missing_share: number;
                thresh_callrate: number;
                thresh_maf: number;
                total: number;
            };
            only_left: number;
            only_left_names: string[];
            only_right: number;
            only_right_names: string[];
            /** @description For a model: how its markers are found in the genotype. */
            panel: {
                missing: number;
                shared: number;
                swapped: number;
                variance_share: number | null;
            } | null;
            /** @description For a crossing table, and for a model, where every individual may be a parent. */
            phase: {
                /** @description A phased genotype file of the project that has the parents of as many crosses; for a model, all individuals. */
                phased_sibling: components["schemas"]["Reference"] | null;
                /** @description Parents with heterozygous calls in a genotype without phase: a simulation and a plan of crosses refuse them. */
                unphased: string[];
            } | null;
            reason: string | null;
            /** @description The phenotype file, crossing table or model. */
            right: {
                count: number;
                /** Format: uuid */
                id: string;
                name: string;
            };
            suggestions: {
                left: string;
                right: string;
                similarity: number;
            }[];
        };
        /** @description Over the repetitions of the cross-validation; null where it cannot be computed. */
        MeanSd: {
            mean: number | null;
            sd: number | null;
        };
        MeansSummary: {
            /** @description Individuals whose effects are fixed in the mixed model. */
            checks: string[];
            /** @description By REML with random lines; environments, replicates, blocks and checks fixed. */
            components: {
                converged: boolean;
                line: {
                    /** @description Standard error from the average information; null at the bound 0. */
                    se: number | null;
                    variance: number;
                };
                /** @description Null when it cannot be told from the residual. */
                line_by_environment: {
                    /** @description Standard error from the average information; null at the bound 0. */
                    se: number | null;
                    variance: number;
                } | null;
                log_likelihood: number;
                residual: {
                    /** @description Standard error from the average information; null at the bound 0. */
                    se: number | null;
                    variance: number;
                };
            } | null;
            environments: number;
            /** @description Groups of individuals that share no environment; 1 when all are connected. */
            groups: number;
            /** @description Which of the two the accuracy of an evaluation takes: Cullis where it exists; null without either, absent from files checked by a version before 1.3. */
            h2_basis?: ("cullis" | "entry-mean") | null;
            /** @description 1 − mean variance of a difference of two BLUPs / 2σ²g (Cullis, Smith & Coombes 2006). */
            h2_cullis: number | null;
            /** @description 1 − MS(error)/MS(lines). */
            h2_entry_mean: number | null;
            /** @description Terms of the fixed model that was fitted; null when no individual has several observations. */
            model: string | null;
            /** @description Individuals with a mean. */
            n: number;
            /** @description Individuals whose replicates share no individual with the rest: no mean. */
            not_estimable: number;
            observations: number;
            /** @description Residual mean square of the fixed model. */
            residual: {
                degrees: number;
                variance: number;
            } | null;
            trait: string;
            unit: string | null;
            /** @description Why there are no components. */
            without_components: ("single_values" | "too_few" | "too_many_cells" | "not_computed") | null;
        };
        Model: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description Trait → why it failed; null unless its state is ERROR. */
            error_extras: {
                [key: string]: components["schemas"]["ErrorExtra"] | null;
            };
            /** @description Trait → predictive ability and accuracy, pooled over the folds of each repetition. */
            evaluation: {
                [key: string]: {
                    /** @description Null where the trait shows no genetic variance, for evaluations made before 1.1, and for models with fixed effects that a version before 1.3 evaluated. */
                    accuracy: components["schemas"]["AccuracyEstimate"] | null;
                    /** @description Why figures are missing that an earlier version computed otherwise; else null. */
                    note: string | null;
                    /** @description Predictive ability: correlation of the genetic predictions with the records without the fixed effects, as the other folds estimate both. Null for models with fixed effects that a version before 1.3 evaluated. */
                    pearson_r: components["schemas"]["MeanSd"];
                    /** @description Correlation of predicted and observed records, fixed effects included in both: not what a breeding value is worth. Null without fixed effects, where it is `pearson_r`. */
                    phenotype_r: components["schemas"]["MeanSd"] | null;
                    /** @description 1 − SSE/SST of the records without the fixed effects. */
                    r2: components["schemas"]["MeanSd"];
                    /** @description In units of the trait. */
                    rmse: components["schemas"]["MeanSd"];
                    /** @description Of the records without the fixed effects on the genetic predictions; 1 is unbiased. */
                    slope: components["schemas"]["MeanSd"];
                    /** @description As `pearson_r`, of ranks. */
                    spearman_r: components["schemas"]["MeanSd"];
                    /** @description With `leave_out`: r within each group, over the groups; the accuracy is that of this r. Null without. */
                    within_group_r: components["schemas"]["MeanSd"] | null;
                } | null;
            };
            /** @description Trait → signed URL of a page with the evaluation plots. */
            evaluation_plot_html_urls: {
                [key: string]: string | null;
            };
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            include_dominance_effects: boolean | null;
            /** @constant */
            model_type: "RRBLUP";
            n_fold: number;
            n_repetition: number;
            name: string;
            /** @description Time limit in seconds for the variance estimation of a trait; null for none. */
            optimize_time: number | null;
            /** @description Single-step prediction; null without a pedigree. */
            pedigree_id: string | null;
            pedigree_name: string | null;
            phenotype_id: string | null;
            phenotype_name: string | null;
            /** @description Trait → its progress; null when it has ended. */
            progress: {
                [key: string]: components["schemas"]["Progress"] | null;
            };
            /** Format: uuid */
            project_id: string;
            /** @description Trait → signed URL of the model as JSON, which `heterosis predict --model` takes. */
            spec_urls: {
                [key: string]: string | null;
            };
            /** @description Trait → state. EVALUATED and ERROR are final; from TRAINED on the effects can be used. */
            status: {
                [key: string]: "TRAINING" | "TRAINED" | "EVALUATING" | "EVALUATED" | "ERROR";
            };
            traits: string[];
            /** Format: date-time */
            updated_at: string;
            /** @description Trait → variance components (REML). */
            variance: {
                [key: string]: {
                    additive: number;
                    /** @description Null without dominance. */
                    dominance: number | null;
                    /** @description The share that dominance explains; null without dominance. */
                    dominance_pve: number | null;
                    /** @description Heritability in the narrow sense, 0–1: additive / (additive + dominance + residual). */
                    h2: number;
                    /** @description Share of the phenotypic variance of the individuals observed that additive effects explain, 0–1. */
                    kinship_pve: number;
                    residual: number;
                    /** @description From the average information; null where a component ended at zero, and for models of before 1.1. */
                    standard_errors: {
                        additive: number;
                        dominance: number | null;
                        dominance_pve: number | null;
                        h2: number;
                        H2: number;
                        kinship_pve: number;
                        residual: number;
                    } | null;
                } | null;
            };
        };
        ModelDetail: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            description: string | null;
            /** @description Trait → why it failed; null unless its state is ERROR. */
            error_extras: {
                [key: string]: components["schemas"]["ErrorExtra"] | null;
            };
            /** @description Trait → predictive ability and accuracy, pooled over the folds of each repetition. */
            evaluation: {
                [key: string]: {
                    /** @description Null where the trait shows no genetic variance, for evaluations made before 1.1, and for models with fixed effects that a version before 1.3 evaluated. */
                    accuracy: components["schemas"]["AccuracyEstimate"] | null;
                    /** @description Why figures are missing that an earlier version computed otherwise; else null. */
                    note: string | null;
                    /** @description Predictive ability: correlation of the genetic predictions with the records without the fixed effects, as the other folds estimate both. Null for models with fixed effects that a version before 1.3 evaluated. */
                    pearson_r: components["schemas"]["MeanSd"];
                    /** @description Correlation of predicted and observed records, fixed effects included in both: not what a breeding value is worth. Null without fixed effects, where it is `pearson_r`. */
                    phenotype_r: components["schemas"]["MeanSd"] | null;
                    /** @description 1 − SSE/SST of the records without the fixed effects. */
                    r2: components["schemas"]["MeanSd"];
                    /** @description In units of the trait. */
                    rmse: components["schemas"]["MeanSd"];
                    /** @description Of the records without the fixed effects on the genetic predictions; 1 is unbiased. */
                    slope: components["schemas"]["MeanSd"];
                    /** @description As `pearson_r`, of ranks. */
                    spearman_r: components["schemas"]["MeanSd"];
                    /** @description With `leave_out`: r within each group, over the groups; the accuracy is that of this r. Null without. */
                    within_group_r: components["schemas"]["MeanSd"] | null;
                } | null;
            };
            /** @description Trait → signed URL of a page with the evaluation plots. */
            evaluation_plot_html_urls: {
                [key: string]: string | null;
            };
            fit: {
                [key: string]: {
                    /** @description Variance components estimated as zero. */
                    at_boundary: string[];
                    converged: boolean;
                    /** @description Absent from models of versions before 1.2. */
                    engine?: components["schemas"]["EngineChoice"];
                    /** @description Covariates and components, when there are any; values hold for average covariates. */
                    fixed_effects?: {
                        /** @description Per unit of the column; 0 where it is left out. */
                        estimate: number;
                        /** @description The group compared with `reference`; null for numbers. */
                        group: string | null;
                        /** @description Column of the phenotype file, or PC1, PC2 … */
                        name: string;
                        /** @description The first group of the column; null for numbers, absent in the first models with covariates. */
                        reference?: string | null;
                        standard_error: number;
                        /**
                         * @description `constant` and `explained` are left out of the model.
                         * @enum {string}
                         */
                        use: "used" | "constant" | "explained";
                    }[];
                    /** @description Broad sense: (additive + dominance) / (additive + dominance + residual); equals h2 without dominance. */
                    H2: number;
                    /** @description Missing calls, imputed by the mean of their marker. */
                    imputed_calls: number;
                    intercept: number;
                    iterations: number;
                    /** @description Absent when nothing was to be left out. */
                    left_out?: components["schemas"]["LeftOut"];
                    log_likelihood: number;
                    /** @description Markers. */
                    m: number;
                    /** @description Individuals. */
                    n: number;
                    seconds: number;
                    /** @description How pedigree and markers were combined: G* = (1 − pedigree_weight)(shift + factor·G) + pedigree_weight·A22. */
                    single_step?: {
                        factor: number;
                        /** @description Individuals of the model with genotype. */
                        genotyped: number;
                        /** @description Individuals of the pedigree, neither genotyped nor phenotyped, for which the model had no room. */
                        left_out: number;
                        pedigree_weight: number;
                        shift: number;
                        /** @description Of these, those that the pedigree lacks: unrelated founders. */
                        without_pedigree: number;
                    };
                    /** @description Individuals that lack a covariate and were left out. */
                    without_covariate?: number;
                } | null;
            };
            /** @description Trait → signed URL of the fold of each individual in each repetition, as CSV. */
            folds_csv_urls: {
                [key: string]: string | null;
            };
            /** @description Trait → signed URL of the breeding values as CSV. */
            gebv_csv_urls: {
                [key: string]: string | null;
            };
            genotype: components["schemas"]["Reference"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** @description Signed URL of the evaluation plots of the first trait. */
            html: string | null;
            /** Format: uuid */
            id: string;
            include_dominance_effects: boolean | null;
            left_out: components["schemas"]["LeftOut"] | null;
            /** @description Signed URL: each individual and marker left out, with its rule. */
            left_out_csv_url: string | null;
            /** @description Trait → signed URL of the marker effects as CSV. */
            marker_effects_csv_urls: {
                [key: string]: string | null;
            };
            /** @constant */
            model_type: "RRBLUP";
            n_fold: number;
            n_repetition: number;
            name: string;
            /** @description Time limit in seconds for the variance estimation of a trait; null for none. */
            optimize_time: number | null;
            pedigree: components["schemas"]["Reference"] | null;
            /** @description Single-step prediction; null without a pedigree. */
            pedigree_id: string | null;
            pedigree_name: string | null;
            phenotype: components["schemas"]["Reference"] | null;
            phenotype_id: string | null;
            phenotype_name: string | null;
            /** @description Trait → its progress; null when it has ended. */
            progress: {
                [key: string]: components["schemas"]["Progress"] | null;
            };
            /** Format: uuid */
            project_id: string;
            provenance: {
                created_by: string | null;
                finished_at: string | null;
                /** @description Input role → SHA-256 of the original file. */
                input_sha256: {
                    [key: string]: string;
                };
                parameters: {
                    /** @description Covariate → factor for numbers that are codes for groups, numeric for a measurement. */
                    covariate_kinds?: {
                        [key: string]: "numeric" | "factor";
                    };
                    covariates?: string[];
                    /** @description Left out before training and evaluation, and counted before `thresh_maf` and `thresh_callrate`. */
                    exclusions?: components["schemas"]["Exclusions"];
                    fixed?: number;
                    include_dominance_effects: boolean | null;
                    /** @enum {string} */
                    kinship: "vanraden1" | "standardized";
                    leave_out?: string;
                    /** @enum {string} */
                    model_type: "RRBLUP";
                    n_fold: number;
                    n_repetition: number;
                    optimize_time: number | null;
                    /** @description Names that stand for names of the genotype, in this run only. */
                    renames?: {
                        /** @description Name in the phenotype file or crossing table. */
                        from: string;
                        /** @description Name in the genotype file. */
                        to: string;
                    }[];
                    /**
                     * @description Trained with a pedigree; absent for models of markers alone.
                     * @constant
                     */
                    single_step?: true;
                    thresh_callrate: number;
                    thresh_maf: number;
                };
                /** @description From start to end. */
                seconds: number | null;
                /** @description Null when nothing is random. */
                seed: number | null;
                software_version: string;
                started_at: string | null;
            };
            /** @description Trait → signed URL of the model as JSON, which `heterosis predict --model` takes. */
            spec_urls: {
                [key: string]: string | null;
            };
            /** @description Trait → state. EVALUATED and ERROR are final; from TRAINED on the effects can be used. */
            status: {
                [key: string]: "TRAINING" | "TRAINED" | "EVALUATING" | "EVALUATED" | "ERROR";
            };
            traits: string[];
            /** Format: date-time */
            updated_at: string;
            /** @description Trait → variance components (REML). */
            variance: {
                [key: string]: {
                    additive: number;
                    /** @description Null without dominance. */
                    dominance: number | null;
                    /** @description The share that dominance explains; null without dominance. */
                    dominance_pve: number | null;
                    /** @description Heritability in the narrow sense, 0–1: additive / (additive + dominance + residual). */
                    h2: number;
                    /** @description Share of the phenotypic variance of the individuals observed that additive effects explain, 0–1. */
                    kinship_pve: number;
                    residual: number;
                    /** @description From the average information; null where a component ended at zero, and for models of before 1.1. */
                    standard_errors: {
                        additive: number;
                        dominance: number | null;
                        dominance_pve: number | null;
                        h2: number;
                        H2: number;
                        kinship_pve: number;
                        residual: number;
                    } | null;
                } | null;
            };
        };
        ModelEvaluation: {
            evaluation: {
                /** @description Null where the trait shows no genetic variance, for evaluations made before 1.1, and for models with fixed effects that a version before 1.3 evaluated. */
                accuracy: components["schemas"]["AccuracyEstimate"] | null;
                /** @description Why figures are missing that an earlier version computed otherwise; else null. */
                note: string | null;
                /** @description Predictive ability: correlation of the genetic predictions with the records without the fixed effects, as the other folds estimate both. Null for models with fixed effects that a version before 1.3 evaluated. */
                pearson_r: components["schemas"]["MeanSd"];
                /** @description Correlation of predicted and observed records, fixed effects included in both: not what a breeding value is worth. Null without fixed effects, where it is `pearson_r`. */
                phenotype_r: components["schemas"]["MeanSd"] | null;
                /** @description 1 − SSE/SST of the records without the fixed effects. */
                r2: components["schemas"]["MeanSd"];
                /** @description In units of the trait. */
                rmse: components["schemas"]["MeanSd"];
                /** @description Of the records without the fixed effects on the genetic predictions; 1 is unbiased. */
                slope: components["schemas"]["MeanSd"];
                /** @description As `pearson_r`, of ranks. */
                spearman_r: components["schemas"]["MeanSd"];
                /** @description With `leave_out`: r within each group, over the groups; the accuracy is that of this r. Null without. */
                within_group_r: components["schemas"]["MeanSd"] | null;
            };
            per_fold: {
                fold: number;
                /**
                 * @description With `leave_out`, the group left out; null for random folds.
                 * @default null
                 */
                group: string | null;
                n: number;
                /**
                 * @description As `phenotype_r` of the evaluation, within the fold.
                 * @default null
                 */
                phenotype_r: number | null;
                /** @description Predictive ability within the fold. */
                r: number | null;
                /**
                 * @description Why there is no `r`; null in evaluations of older versions.
                 * @default null
                 */
                reason: string | null;
                repetition: number;
            }[];
            per_repetition: {
                pearson_r: number | null;
                /** @default null */
                phenotype_r: number | null;
                r2: number | null;
                repetition: number;
                rmse: number | null;
                slope: number | null;
                spearman_r: number | null;
            }[];
            /** @description Means over repetitions while the individual was in the test part: its record without the fixed effects, and the genetic prediction (with them where `phenotype_r` is all that is known). */
            points: {
                fold: number;
                individual: string;
                observed: number;
                predicted: number;
            }[];
            seed: number;
            trait: string;
        };
        NewSecondFactor: {
            /** @description Base32 (RFC 4648), to type in. */
            secret: string;
            /** @description `otpauth://totp/…`, for a QR code. */
            uri: string;
        };
        OperatedMail: {
            attempts: number;
            /** Format: date-time */
            created_at: string;
            error: string | null;
            /** Format: uuid */
            id: string;
            is_retryable: boolean;
            /**
             * @description STORED: kept in the outbox, not sent.
             * @enum {string}
             */
            state: "STORED" | "SENDING" | "SENT" | "FAILED";
            subject: string;
            to: string;
            /** Format: date-time */
            updated_at: string;
        };
        OperatedOrganization: {
            /** Format: date-time */
            created_at: string;
            deleted_at: string | null;
            /** Format: uuid */
            id: string;
            last_active_at: string | null;
            name: string;
            /** @description Null: the default of the installation. */
            own_run_quota: number | null;
            /** @description Null: the default of the installation. */
            own_storage_quota_bytes: number | null;
            /** @description E-mail addresses. */
            owners: string[];
            projects: number;
            /** @description Null: no limit. */
            run_quota: number | null;
            runs_last_30_days: number;
            runs_unfinished: number;
            seat_total: number;
            seat_usage: number;
            /** @description Null: no limit. */
            storage_quota_bytes: number | null;
            storage_used_bytes: number;
        };
        OperatedWorker: {
            cores: number;
            /** @description Free where jobs write their files. */
            disk_mb: number;
            host: string;
            /** Format: uuid */
            id: string;
            memory_mb: number;
            /** Format: date-time */
            seen_at: string;
            /** Format: date-time */
            started_at: string;
        };
        Organization: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description What you may do there now. */
            rights: ("edit" | "delete" | "see_members" | "change_roles" | "remove_members" | "see_invitations" | "invite" | "invite_managers" | "create_projects" | "restore_projects" | "change_crops" | "delete_crops" | "see_germplasm" | "change_germplasm" | "delete_germplasm" | "see_billing" | "change_billing" | "see_webhooks" | "change_webhooks" | "see_audit")[];
            /** @description Your role; null for a guest of one of its projects. */
            role: ("OWNER" | "MANAGER" | "MEMBER") | null;
            /** @description Null unless the caller is a manager or an owner. */
            subscription_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        OrganizationDetail: {
            /** @description Not active: it can only be read. Null for a project guest. */
            billing_state: ("active" | "past_due" | "cancelled") | null;
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** Format: uuid */
            id: string;
            /** @description MANAGERs may invite MANAGERs, not only MEMBERs; null for a project guest. */
            managers_may_invite_managers: boolean | null;
            /** @description MEMBERs may create projects, of which they are then OWNER; null for a project guest. */
            members_may_create_projects: boolean | null;
            name: string;
            /** @description Everybody there needs a second factor to sign in; null for a project guest. */
            requires_second_factor: boolean | null;
            /** @description What you may do there now. */
            rights: ("edit" | "delete" | "see_members" | "change_roles" | "remove_members" | "see_invitations" | "invite" | "invite_managers" | "create_projects" | "restore_projects" | "change_crops" | "delete_crops" | "see_germplasm" | "change_germplasm" | "delete_germplasm" | "see_billing" | "change_billing" | "see_webhooks" | "change_webhooks" | "see_audit")[];
            /** @description Your role; null for a guest of one of its projects. */
            role: ("OWNER" | "MANAGER" | "MEMBER") | null;
            /** @description Null for a guest, and without a limit. */
            run_quota: number | null;
            /** @description Runs that wait or are under way; null for a guest. */
            runs_unfinished: number | null;
            /** @description Null for a guest. */
            seat_total: number | null;
            /** @description People with a role in the organization or its projects, and pending invitations; null for a guest. */
            seat_usage: number | null;
            /** @description Null for a guest, and without a limit. */
            storage_quota_bytes: number | null;
            /** @description Bytes of its files, those in the bin and uploads under way included; null for a guest. */
            storage_used_bytes: number | null;
            /** @description Null unless the caller is a manager or an owner. */
            subscription_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        OrganizationMember: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** Format: uuid */
            id: string;
            /** @description Last request of the person there, to within minutes; null before the first. */
            last_active_at: string | null;
            name: string | null;
            /** @enum {string} */
            role: "OWNER" | "MANAGER" | "MEMBER";
            /** Format: uuid */
            user_id: string;
        };
        ParentageCheck: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            name: string;
            pedigree_id: string | null;
            pedigree_name: string | null;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            /** @description Always empty. */
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        ParentageCheckDetail: {
            /** @enum {string} */
            compared_with: "germplasm" | "file" | "none";
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            description: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            /** @description Signed URL of a CSV file: a row for each child in the pedigree. */
            families_url: string | null;
            /** @description Signed URL of a CSV file: swapped samples, suspects and copies. */
            findings_url: string | null;
            genotype: components["schemas"]["Reference"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            name: string;
            /** @description Signed URL of a CSV file: the most likely parents. */
            parents_url: string | null;
            pedigree: components["schemas"]["Reference"] | null;
            pedigree_id: string | null;
            pedigree_name: string | null;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            provenance: {
                created_by: string | null;
                finished_at: string | null;
                /** @description Input role → SHA-256 of the original file. */
                input_sha256: {
                    [key: string]: string;
                };
                /** @description The same parameters, inputs, seed and version give the same bytes. */
                parameters: {
                    [key: string]: unknown;
                };
                /** @description From start to end. */
                seconds: number | null;
                /** @description Null when nothing is random. */
                seed: number | null;
                software_version: string;
                started_at: string | null;
            };
            report: components["schemas"]["ParentageReport"] | null;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            /** @description Always empty. */
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        ParentageReport: {
            /** @description Pairs with more than 99 % equal calls; the first 500. */
            copies: {
                first: string;
                identity: number;
                markers: number;
                second: string;
            }[];
            /** @description Of these: a pair of parents fits. */
            found: number;
            /** @description Genotyped individuals in the pedigree; null without one. */
            in_pedigree: number | null;
            individuals: number;
            /** @description Markers with both alleles that were compared. */
            markers: number;
            /** @description Mean share of opposite homozygotes of all pairs of individuals. */
            opposing_share: number;
            polymorphic_markers: number;
            /** @description Individuals whose parents were sought. */
            sought: number;
            /** @description Samples that conflicts point to; the first 500. */
            suspects: {
                /** @description Families of the sample in conflict, of `tested`. */
                conflicts: number;
                /** @description In whose place the sample causes no conflict; up to 5. */
                fits: string[];
                individual: string;
                tested: number;
            }[];
            /** @description Samples whose exchange removes all conflicts of their `families`; the first 100. */
            swaps: {
                families: number;
                first: string;
                second: string;
            }[];
            totals: {
                copies: number;
                suspects: number;
                swaps: number;
            };
            /** @description Children with a known parent, by verdict. */
            verdicts: {
                CONFIRMED: number;
                CONFLICT: number;
                DOUBTFUL: number;
                PLAUSIBLE: number;
                UNTESTABLE: number;
            };
        };
        ParentageResults: {
            data: {
                /** @description Of other individuals in place of this one. */
                conflict_share_of_others: number | null;
                conflicts: number | null;
                descent: ("cross" | "line" | "clone") | null;
                /** @description In the pedigree. */
                female: string | null;
                individual: string;
                likely_conflicts: number | null;
                likely_fits: boolean | null;
                likely_markers: number | null;
                /** @description The most likely pair, or the most likely one; empty if not sought. */
                likely_parents: string[];
                likely_score: number | null;
                male: string | null;
                /** @description Markers that could show a conflict. */
                markers: number | null;
                /** @description Opposite homozygotes. */
                opposing_female: number | null;
                opposing_male: number | null;
                /** @description ln likelihood ratio of the parents against no relation; null where it is not known what they pass on. */
                score: number | null;
                /** @description ln likelihood ratio of the parents against the likeliest case of one wrong parent; null where nothing can contradict the family, and in checks of versions before 1.3. */
                support: number | null;
                /** @description Whose genotype was compared: the parent, or where the parents have none a plant they descend from. */
                tested_female: string | null;
                tested_male: string | null;
                /** @description CONFLICT: more conflicts than errors explain. DOUBTFUL: not more, but one wrong parent is likelier than the parents recorded; or a line is not like its only genotyped parent. PLAUSIBLE: it is. CONFIRMED: not more conflicts, and one wrong parent is less likely (in checks of versions before 1.3: not more conflicts). UNTESTABLE: too few markers to notice one wrong parent. Null without a parent in the pedigree. */
                verdict: ("CONFLICT" | "DOUBTFUL" | "PLAUSIBLE" | "CONFIRMED" | "UNTESTABLE") | null;
            }[];
            next_cursor: string | null;
            total: number;
        };
        Pedigree: {
            /** @description Some ancestors are missing, because the graph would be too large. */
            cut: boolean;
            individuals: components["schemas"]["PedigreeIndividual"][];
            /** @description Germplasm in scope. */
            total: number;
        };
        PedigreeIndividual: {
            collection: string | null;
            cross_type: ("BIPARENTAL" | "BACKCROSS" | "SELF" | "DH" | "CLONE" | "OPEN_POLLINATED") | null;
            /** @description Longest way down from a founder of the graph. */
            generation: number;
            /** Format: uuid */
            id: string;
            /** @description F, 0–1, with unknown parents as unrelated founders; null when the graph was cut. */
            inbreeding: number | null;
            /** @description Position of the female parent in `individuals`; null when unknown or outside the graph. */
            maternal: number | null;
            name: string;
            /** @description Position of the male parent; that of the female for progeny of one plant. */
            paternal: number | null;
            selfing_generations: number | null;
        };
        PhenotypeRows: {
            data: {
                individual: string;
                /** @description How many observations each value is the mean of; absent when no individual has more than one. */
                observations?: number[];
                /** @description In the order of `traits`; null where missing. */
                values: (number | null)[];
            }[];
            next_cursor: string | null;
            total: number;
            traits: string[];
        };
        Prediction: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            model_id: string | null;
            model_name: string | null;
            name: string;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        PredictionDetail: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Id of the user; null once the account is deleted. */
            created_by_id: string | null;
            /** @description Signed URL: `id`, and `gebv_T` and `reliability_T` of each trait T, then `genotypic_T` and `genotypic_reliability_T` with dominance. */
            csv_url: string | null;
            description: string | null;
            /** @description Null unless the state is ERROR. */
            error_extra: components["schemas"]["ErrorExtra"] | null;
            genotype: components["schemas"]["Reference"] | null;
            genotype_id: string | null;
            genotype_name: string | null;
            /** Format: uuid */
            id: string;
            /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
            key_figure: string | null;
            left_out: components["schemas"]["LeftOut"] | null;
            /** @description Signed URL: each individual and marker left out, with its rule. */
            left_out_csv_url: string | null;
            model: components["schemas"]["Reference"] | null;
            model_id: string | null;
            model_name: string | null;
            name: string;
            progress: components["schemas"]["Progress"] | null;
            /** Format: uuid */
            project_id: string;
            provenance: {
                created_by: string | null;
                finished_at: string | null;
                /** @description Input role → SHA-256 of the original file. */
                input_sha256: {
                    [key: string]: string;
                };
                /** @description The same parameters, inputs, seed and version give the same bytes. */
                parameters: {
                    [key: string]: unknown;
                };
                /** @description From start to end. */
                seconds: number | null;
                /** @description Null when nothing is random. */
                seed: number | null;
                software_version: string;
                started_at: string | null;
            };
            report: {
                /** @description Of these: found by position, not by name. */
                by_position: number;
                imputed_calls: number;
                individuals: number;
                /** @description Absent when nothing was to be left out. */
                left_out?: components["schemas"]["LeftOut"];
                /** @description Found with other alleles; left out. */
                mismatched: number;
                /** @description Not found: their mean in the training genotype is used. */
                missing: number;
                model_markers: number;
                /** @description Markers of the model that were found. */
                shared: number;
                /** @description Found with swapped alleles; their dosages were reversed. */
                swapped: number;
                /** @description Share of the model's genetic variance that the shared markers carry, 0–1. */
                variance_share: number | null;
                /**
                 * @description Individuals without reliability; null for predictions of before 1.1.
                 * @default null
                 */
                without_reliability: number | null;
            } | null;
            /** @enum {string} */
            status: "PROCESSING" | "SUCCESS" | "ERROR";
            traits: string[];
            /** Format: date-time */
            updated_at: string;
        };
        PredictionResults: {
            data: {
                /** @description Breeding values, in the order of `traits`. */
                gebv: number[];
                /** @description With dominance: what the individual itself is expected to show; null without. */
                genotypic: (number | null)[];
                /** @description 0–1; null without dominance. */
                genotypic_reliability: (number | null)[];
                /** @description Weighted mean of the standardized breeding values, by direction and weight of the traits of the project; null when fewer than two have a weight. */
                index: number | null;
                individual: string;
                /** @description 0–1, in the order of `traits`. */
                reliability: (number | null)[];
            }[];
            next_cursor: string | null;
            total: number;
            traits: string[];
        };
        Price: {
            /** @description ISO 4217 code in lower case, for example `usd`. */
            currency: string;
            id: string;
            metadata: {
                features: string[];
                notes: string | null;
            };
            nickname: string | null;
            /** @description Of one seat for a year, in the smallest unit of the currency. */
            unit_amount: number;
        };
        Problem: {
            code: string;
            detail: string;
            details?: {
                [key: string]: unknown;
            };
            instance: string;
            invalid_params?: {
                name: string;
                reason: string;
            }[];
            request_id: string;
            status: number;
            title: string;
            type: string;
        };
        Progress: {
            /** @description Units done of `total`; each stage counts its own (markers, folds …). */
            done: number;
            /** @description While the run waits: the number of runs that begin before it, over all users of the same workers. */
            runs_before: number | null;
            /** @enum {string} */
            stage: "queued" | "read" | "match" | "qc" | "kinship" | "fit" | "cross-validate" | "test" | "predict" | "cross" | "phase" | "write";
            /** @description Start of this stage; null while the run waits. */
            started_at: string | null;
            total: number;
        };
        Project: {
            /** Format: date-time */
            created_at: string;
            crop: components["schemas"]["Reference"] | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When somebody last changed something in it, to within minutes.
             */
            last_active_at: string;
            name: string;
            organization: components["schemas"]["Reference"] | null;
            /** @description What you may do there now. */
            rights: ("edit" | "delete" | "write" | "change_others" | "delete_own" | "delete_others" | "change_roles" | "remove_members" | "see_invitations" | "invite" | "invite_managers" | "add_germplasm" | "add_synonyms" | "see_audit")[];
            /**
             * @description Your role: the higher of those in the project and in the organization.
             * @enum {string}
             */
            role: "OWNER" | "MANAGER" | "MEMBER";
            /** Format: date-time */
            updated_at: string;
        };
        ProjectDetail: {
            /**
             * @description Of the organization. Not active: the project can only be read.
             * @enum {string}
             */
            billing_state: "active" | "past_due" | "cancelled";
            /** Format: date-time */
            created_at: string;
            crop: components["schemas"]["Reference"] | null;
            description: string | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When somebody last changed something in it, to within minutes.
             */
            last_active_at: string;
            /** @description MEMBERs see everything and change nothing. */
            members_read_only: boolean;
            name: string;
            organization: components["schemas"]["Reference"] | null;
            /** @description What you may do there now. */
            rights: ("edit" | "delete" | "write" | "change_others" | "delete_own" | "delete_others" | "change_roles" | "remove_members" | "see_invitations" | "invite" | "invite_managers" | "add_germplasm" | "add_synonyms" | "see_audit")[];
            /**
             * @description Your role: the higher of those in the project and in the organization.
             * @enum {string}
             */
            role: "OWNER" | "MANAGER" | "MEMBER";
            /** Format: date-time */
            updated_at: string;
        };
        ProjectMember: components["schemas"]["OrganizationMember"];
        ProjectOverview: {
            crossing_plans: number;
            crossing_simulations: number;
            /** @description The newest ones. */
            failed: {
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                kind: "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation" | "import";
                name: string;
                /** @description Why it failed, in a sentence; null for files: see their check. */
                reason: string | null;
            }[];
            failed_total: number;
            files: {
                crossing_table: number;
                genes: number;
                genotype: number;
                linkage_map: number;
                other: number;
                pedigree: number;
                phenotype: number;
            };
            gwas: number;
            /** @description Of the largest genotype file. */
            individuals: number;
            /** @description Of the largest genotype file. */
            markers: number;
            models: number;
            /** @description The newest files that can be used; null where there is none. */
            newest: {
                genotype_id: string | null;
                phenotype_id: string | null;
            };
            parentage_checks: number;
            predictions: number;
            recent: {
                /** Format: date-time */
                created_at: string;
                finished_at: string | null;
                /** Format: uuid */
                id: string;
                /** @description No worker has started it yet. */
                is_waiting: boolean;
                /** @description The key figure, for example `r 0.61` or `λ 1.02 · 3 hits`; null until there is one. */
                key_figure: string | null;
                /** @enum {string} */
                kind: "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation" | "import";
                name: string;
                /** @description Completed share, 0–1. */
                progress: number | null;
                /**
                 * @description State of the run: processing while any trait is processing; cancelled when somebody stopped it.
                 * @enum {string}
                 */
                state: "processing" | "success" | "error" | "cancelled";
            }[];
            results: {
                /** @description By trait: of its newest models, the newest first. */
                accuracies: {
                    /**
                     * Format: date-time
                     * @description Of the model.
                     */
                    created_at: string;
                    model: components["schemas"]["Reference"];
                    /** @description Predictive ability: mean over the repetitions of the cross-validation. */
                    r: number | null;
                    /** @description Standard deviation over the repetitions. */
                    sd: number | null;
                    trait: string;
                }[];
                /** @description Of each trait its newest GWAS; the smallest p-value first. */
                associations: {
                    /** @description p-value threshold, 5 % over all tests. */
                    bonferroni: number;
                    gwas: components["schemas"]["Reference"];
                    /** @description Markers below the Bonferroni threshold. */
                    hits: number;
                    lambda: number;
                    top: {
                        chr: string;
                        id: string;
                        p: number;
                        pos: number;
                    } | null;
                    trait: string;
                }[];
                /** @description Of the newest crossing simulation that succeeded. */
                crosses: {
                    /** @description Of each trait, the cross with the largest usefulness. */
                    best: {
                        cross: string;
                        trait: string;
                        usefulness: number;
                    }[];
                    crosses: number;
                    simulation: components["schemas"]["Reference"];
                } | null;
            };
            traits: string[];
        };
        ProjectTrait: {
            /**
             * @description Whether higher or lower values are better.
             * @enum {string}
             */
            direction: "higher" | "lower";
            /** @description As the phenotype file spells it. */
            name: string;
            /** @description Null: the unit that the phenotype file gives, if it gives one. */
            unit: string | null;
            /** @description Weight in the index over traits; 0 leaves it out. */
            weight: number;
        };
        ProjectTraitInput: {
            /**
             * @description Whether higher or lower values are better.
             * @enum {string}
             */
            direction: "higher" | "lower";
            /** @description As the phenotype file spells it. */
            name: string;
            /** @description Null: the unit that the phenotype file gives, if it gives one. */
            unit: string | null;
            /** @description Weight in the index over traits; 0 leaves it out. */
            weight: number;
        };
        ProjectTraits: {
            data: components["schemas"]["ProjectTrait"][];
        };
        ProofMethod: {
            /** @description Shown within the last 15 minutes, so that nothing is asked. */
            is_fresh: boolean;
            /**
             * @description second_factor: by a code of the app; mail: by a code that `POST /api/auth/proof/mail` sends; provider: by signing in at the provider again.
             * @enum {string}
             */
            method: "second_factor" | "mail" | "provider";
        };
        QueueDepth: {
            lane: string;
            /** @description Null when none waits. */
            oldest_waiting_seconds: number | null;
            running: number;
            waiting: number;
        };
        RecoveryCodes: {
            /** @description Shown only now. */
            recovery_codes: string[];
        };
        Reference: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        Registration: {
            /** Format: date-time */
            created_at: string;
            decided_at: string | null;
            decided_by: string | null;
            email: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED";
        };
        RegistrationDecision: {
            mailed: boolean;
            registration: components["schemas"]["Registration"];
        };
        Restored: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "file" | "model" | "prediction" | "gwas" | "parentage_check" | "crossing_plan" | "crossing_simulation";
            name: string;
        };
        RestoredPlace: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        RunEstimate: {
            /** @description Results and temporary files. */
            disk_mb: number;
            /**
             * @description Computed from the kinship of the individuals (n × n), or from the equations of the markers (m × m).
             * @enum {string}
             */
            engine: "individuals" | "markers";
            memory_mb: number;
            /** @description Null where all markers fit into memory. Otherwise they are first pruned by LD, to r² 0.95, then 0.8 and 0.5, until so few are left; how many, is known only then. A GWAS prunes those of its kinship, and tests all. */
            pruning: {
                /** @description As many fit into memory; the estimate is that of this number. */
                at_most: number;
                /** @description Of the genotype. */
                markers: number;
            } | null;
            /** @description Why so, in one sentence. */
            reason: string;
            /** @description Of computing, on a server with nothing else to do. */
            seconds: number;
        };
        /** @description Individuals that a prediction leaves out of its genotype. */
        SampleExclusionsInput: {
            /** @description Keeps one individual of each group with the same genotype: the one with the most calls. */
            duplicates?: boolean;
            /** @description Leaves out individuals with a larger share of heterozygotes among their calls. */
            max_sample_heterozygosity?: number;
            /** @description Leaves out individuals with a smaller share of markers called. */
            min_sample_call_rate?: number;
            /** @description Individuals to keep; all others are left out. */
            only_samples?: string[];
            /** @description Individuals to leave out. */
            samples?: string[];
        };
        SecondFactor: {
            /** @description Names of the organizations of yours that demand one. */
            demanded_by: string[];
            /** @description Recovery codes that were not used yet. */
            recovery_codes: number;
            /** @description Null: there is none. */
            since: string | null;
        };
        SentInvitation: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** @description E-mail address. */
            recipient: string;
            /** @enum {string} */
            role: "OWNER" | "MANAGER" | "MEMBER";
            /** @description Name, or e-mail address of a person without one. */
            sender: string;
        };
        Session: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            is_current: boolean;
            /**
             * Format: date-time
             * @description To within a quarter of an hour.
             */
            last_used_at: string;
            /** @description How the browser or script named itself. */
            user_agent: string | null;
        };
        SignedInUser: {
            displayName: string | null;
            email: string;
            emailVerified: boolean;
            phoneNumber: string | null;
            photoURL: string | null;
            providerData: {
                email: string | null;
                providerId: string;
                uid: string;
            }[];
            tenantId: string | null;
            /** Format: uuid */
            uid: string;
        };
        Subscription: {
            /** @description It ends then instead of being renewed. */
            cancel_at_period_end: boolean;
            /**
             * Format: date-time
             * @description End of the year that is paid for.
             */
            current_period_end: string;
            id: string;
            /** Format: uuid */
            organization_id: string;
            plan: {
                /** @description Of one seat for a year, in the smallest unit of the currency. */
                amount: number;
                /** @description ISO 4217 code in lower case, for example `usd`. */
                currency: string;
                id: string;
                nickname: string | null;
            };
            /** @description Seats. */
            quantity: number;
            /** @enum {string} */
            state: "active" | "past_due" | "cancelled";
        };
        TableMapping: {
            /** @description By their header as it is written. */
            columns?: {
                name: string;
                /** @enum {string} */
                role: "individual" | "environment" | "location" | "year" | "treatment" | "replicate" | "block" | "row" | "column" | "plot" | "plant" | "sowing" | "check" | "trait" | "value" | "timestamp" | "female" | "male" | "parent3" | "parent4" | "name" | "progeny" | "type" | "marker" | "chromosome" | "basePairs" | "mapPosition" | "collection" | "crossType" | "generation" | "purdy" | "accessionNumber" | "synonyms" | "otherNumbers" | "crop" | "entryNo" | "femaleEntry" | "maleEntry" | "parent" | "parentKind" | "measurement" | "covariate" | "attribute" | "ignore";
            }[];
            /**
             * @description The other one then separates thousands.
             * @enum {string}
             */
            decimal_mark?: "." | ",";
            /** @description From 1; 0 when the table has no header. */
            header_line?: number;
            /** @description Rows that make the header together. */
            header_rows?: number;
            /**
             * @description Of a text.
             * @enum {string}
             */
            separator?: "," | ";" | "\t" | "|" | " ";
            /** @description Of a workbook, by name; absent: the first. */
            sheet?: string;
        };
        TableMappingInput: {
            /** @description By their header as it is written. */
            columns?: {
                name: string;
                /** @enum {string} */
                role: "individual" | "environment" | "location" | "year" | "treatment" | "replicate" | "block" | "row" | "column" | "plot" | "plant" | "sowing" | "check" | "trait" | "value" | "timestamp" | "female" | "male" | "parent3" | "parent4" | "name" | "progeny" | "type" | "marker" | "chromosome" | "basePairs" | "mapPosition" | "collection" | "crossType" | "generation" | "purdy" | "accessionNumber" | "synonyms" | "otherNumbers" | "crop" | "entryNo" | "femaleEntry" | "maleEntry" | "parent" | "parentKind" | "measurement" | "covariate" | "attribute" | "ignore";
            }[];
            /**
             * @description The other one then separates thousands.
             * @enum {string}
             */
            decimal_mark?: "." | ",";
            /** @description From 1; 0 when the table has no header. */
            header_line?: number;
            /** @description Rows that make the header together. */
            header_rows?: number;
            /**
             * @description Of a text.
             * @enum {string}
             */
            separator?: "," | ";" | "\t" | "|" | " ";
            /** @description Of a workbook, by name; absent: the first. */
            sheet?: string;
        };
        TokenInfo: {
            /** Format: date-time */
            expires_at: string;
            /**
             * @description session: of somebody signed in; access_token: a personal access token.
             * @enum {string}
             */
            kind: "session" | "access_token";
            organizations: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @enum {string} */
                role: "OWNER" | "MANAGER" | "MEMBER";
            }[];
            /** @description The only projects that the token reaches; null: all. */
            project_ids: string[] | null;
            /** @description What the token may do. `write` includes `read`. */
            scopes: string[];
            user: components["schemas"]["SignedInUser"];
        };
        TokenResult: {
            /** @description For `Authorization: Bearer …`. */
            access_token: string;
            /** @description Seconds for which the access token is valid. */
            expires_in: number;
            /** @description Gets new tokens once, as long as the session lives; the answer brings the next one. */
            refresh_token: string;
            user: components["schemas"]["SignedInUser"];
        };
        TraitMeans: {
            data: {
                flag: ("missing" | "not_estimable" | "single_value" | "other_group") | null;
                individual: string;
                mean: number | null;
                /** @description Observations behind the mean. */
                n: number;
                /** @description Standard error under the fixed model. */
                se: number | null;
            }[];
            /** @description The observations of the trait in each environment. */
            environments: {
                lower_quartile: number;
                max: number;
                median: number;
                min: number;
                n: number;
                name: string;
                upper_quartile: number;
            }[];
            trait: string;
            unit: string | null;
        };
        Upload: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The parts are deleted at this time.
             */
            expires_at: string;
            file_type: ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES") | null;
            fingerprint: string | null;
            folder_id: string | null;
            /** Format: uuid */
            id: string;
            name: string | null;
            part_bytes: number;
            received_bytes: number;
            /** @description Also null when the file to be replaced has been deleted for good. */
            replaces: string | null;
            size_bytes: number;
        };
        UploadDetail: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The parts are deleted at this time.
             */
            expires_at: string;
            file_type: ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES") | null;
            fingerprint: string | null;
            folder_id: string | null;
            /** Format: uuid */
            id: string;
            name: string | null;
            part_bytes: number;
            /** @description Parts that have arrived. */
            parts: {
                /** @description From 1. */
                number: number;
                size_bytes: number;
            }[];
            received_bytes: number;
            /** @description Also null when the file to be replaced has been deleted for good. */
            replaces: string | null;
            size_bytes: number;
        };
        UploadLink: {
            /**
             * Format: uuid
             * @description Id of the upload, and of the file that step 3 creates.
             */
            file_id: string;
            /** @description Accepts the whole file in one PUT within 15 minutes, with the `content-type` of this step and without a token. */
            put_url: string;
        };
        UserProfile: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** Format: uuid */
            id: string;
            /** @description Operates this installation. */
            is_operator: boolean;
            name: string | null;
            /** @description A new address that was not confirmed yet. */
            pending_email: string | null;
            photo_url: string | null;
            role: ("OWNER" | "MANAGER" | "MEMBER") | null;
            /** @description Minutes: a mail is sent at the end of runs that take longer; null: no mails. */
            run_mail_minutes: number | null;
            /** Format: date-time */
            updated_at: string;
        };
        Webhook: {
            /** Format: date-time */
            created_at: string;
            /** @description Name or e-mail address of who made it. */
            created_by: string | null;
            events: ("file.ready" | "run.ended" | "crossing_table.made")[];
            /** @description Nothing has arrived since then; null when the last one arrived. */
            failing_since: string | null;
            /** Format: uuid */
            id: string;
            is_active: boolean;
            name: string;
            /** @description When it was switched off because nothing arrived for days. */
            switched_off_at: string | null;
            url: string;
        };
        WebhookDelivery: {
            attempts: number;
            /** @description What is sent, to the byte. */
            body: string;
            /** Format: date-time */
            created_at: string;
            /** @description Why the last attempt failed. */
            error: string | null;
            event: ("file.ready" | "run.ended" | "crossing_table.made") | "test";
            /**
             * Format: uuid
             * @description Stays the same when it is sent again: a receiver that knows it may ignore it.
             */
            id: string;
            /** @description While it waits. */
            next_try_at: string | null;
            /**
             * @description FAILED: given up.
             * @enum {string}
             */
            state: "WAITING" | "DELIVERED" | "FAILED";
            /** @description HTTP status of the last answer. */
            status: number | null;
            took_ms: number | null;
            tried_at: string | null;
        };
        WebhookWithSecret: {
            /** Format: date-time */
            created_at: string;
            /** @description Name or e-mail address of who made it. */
            created_by: string | null;
            events: ("file.ready" | "run.ended" | "crossing_table.made")[];
            /** @description Nothing has arrived since then; null when the last one arrived. */
            failing_since: string | null;
            /** Format: uuid */
            id: string;
            is_active: boolean;
            name: string;
            /** @description For checking signatures. Shown once; null unless it was just made. */
            secret: string | null;
            /** @description When it was switched off because nothing arrived for days. */
            switched_off_at: string | null;
            url: string;
        };
    };
    responses: {
        /** @description A failure */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description The same request with the same key is carried out once. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccessTokens: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccessToken"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token ends after this many days. */
                    expires_in_days: number;
                    name: string;
                    /** @description The only projects that the token reaches; absent or null: all that its owner reaches. */
                    project_ids?: string[] | null;
                    scopes: ("read" | "write")[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAccessToken"];
                };
            };
        };
    };
    deleteAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuthConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionRequest"];
                };
            };
        };
    };
    postAuthConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The only projects that the token reaches; absent or null: all that its owner reaches. */
                    project_ids?: string[] | null;
                    scopes: ("read" | "write")[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionAnswer"];
                };
            };
        };
    };
    deleteAuthConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionAnswer"];
                };
            };
        };
    };
    postAuthEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From the mailed link. */
                    code: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                    };
                };
            };
        };
    };
    postAuthLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /** @description Address in the web application to go on to. */
                    return_to?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds for which the link works. */
                        expires_in: number;
                        /**
                         * @description sent: the link was mailed; provider: the browser asks Firebase Authentication to mail it.
                         * @enum {string}
                         */
                        status: "sent" | "provider";
                    };
                };
            };
        };
    };
    getAuthOidcCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Default Response */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuthOidcStart: {
        parameters: {
            query?: {
                /** @description The provider asks who it is, whoever is signed in there. */
                again?: "true";
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Default Response */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuthProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofMethod"];
                };
            };
        };
    };
    postAuthProof: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postAuthProofMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds for which the code works. */
                        expires_in: number;
                    };
                };
            };
        };
    };
    deleteAuthSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAuthToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenInfo"];
                };
            };
        };
    };
    postAuthToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From the mailed link. */
                    code: string;
                    /** @enum {string} */
                    grant_type: "email_link";
                } | {
                    /** @enum {string} */
                    grant_type: "custom_token";
                    /** @description Made by an operator: `npm run admin -- custom-token EMAIL`. */
                    token: string;
                } | {
                    /** @enum {string} */
                    grant_type: "firebase";
                    /** @description ID token of Firebase Authentication, where that is offered. */
                    id_token: string;
                } | {
                    /** @enum {string} */
                    grant_type: "refresh_token";
                    refresh_token: string;
                } | {
                    /** @description Of the authenticator app, or a recovery code. */
                    code: string;
                    /** @enum {string} */
                    grant_type: "second_factor";
                    /** @description `second_factor_token` of the answer to the first step. */
                    token: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResult"];
                };
            };
        };
    };
    postCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Absent for a new organization, which is made once it is paid for.
                     */
                    organization_id?: string;
                    price_id: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The browser navigates there. */
                        url: string;
                    };
                };
            };
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
        };
    };
    postCheckoutConfirm: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of a new organization. */
                    organization_name?: string;
                    quantity?: number;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        organization_id: string;
                    };
                };
            };
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        billing: {
                            /** @description Where other ways to pay are asked for, `https:` or `mailto:`. */
                            contact: string | null;
                            /** @description Seats of an organization without a subscription. */
                            free_seats: number;
                            /** @enum {string} */
                            kind: "offline" | "stripe";
                            /** @description Publishable key of Stripe; null without it. */
                            stripe_key: string | null;
                        };
                        max_upload_bytes: number;
                        outbox: boolean;
                        /** @enum {string} */
                        registration: "open" | "approval";
                        /** @description How people can sign in. */
                        sign_in: {
                            /** @description Whether this server mails links. */
                            email_link: boolean;
                            /** @description The project of Firebase Authentication that mails links instead. */
                            firebase: {
                                api_key: string;
                                auth_domain: string;
                                emulator_host: string | null;
                                project_id: string;
                            } | null;
                            /** @description A provider to sign in with: `GET /api/auth/oidc/start`. */
                            oidc: {
                                name: string;
                            } | null;
                        };
                        /** @description Address of the support, `https:` or `mailto:`. */
                        support: string | null;
                        version: string;
                    };
                };
            };
        };
    };
    listDeletedOrganizations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedPlace"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postDeletedOrganizationRestore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredPlace"];
                };
            };
        };
    };
    getDevOutbox: {
        parameters: {
            query: {
                /** @description The key printed at start. */
                key: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: date-time */
                            created_at: string;
                            link: string | null;
                            subject: string;
                            text: string;
                            to: string;
                        }[];
                    };
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description The changes of so many milliseconds before now are told first, without progress. */
                missed_ms?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getInvitationAccept: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
        };
    };
    postInvitationsSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResult"];
                };
            };
        };
    };
    listOperatorAudit: {
        parameters: {
            query?: {
                action?: "member.left" | "member.removed" | "project-member.left" | "project-member.removed" | "member.role-changed" | "project-member.role-changed" | "invitation.sent" | "invitation.resent" | "invitation.withdrawn" | "invitation.accepted" | "invitation.declined" | "organization.created" | "organization.rights-changed" | "project.created" | "project.rights-changed" | "billing.checkout-confirmed" | "billing.seats-changed" | "billing.card-changed" | "billing.subscription-changed" | "billing.payment-failed" | "billing.payment-received" | "billing.subscription-cancelled" | "organization.deleted" | "organization.restored" | "project.deleted" | "project.restored" | "crop.deleted" | "germplasm.merged" | "germplasm.deleted" | "folder.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "access-token.created" | "access-token.deleted" | "custom-token.created" | "session.started" | "session.ended" | "session.revoked" | "session.copied" | "account.email-changed" | "second-factor.added" | "second-factor.codes-renewed" | "second-factor.removed" | "account.exported" | "account.deleted" | "registration.approved" | "registration.rejected" | "signing-keys.rotated" | "demo.created" | "operator.added" | "operator.removed" | "organization.quotas-changed" | "run.repeated" | "mail.repeated" | "file.deleted" | "file.restored" | "model.deleted" | "model.restored" | "prediction.deleted" | "prediction.restored" | "gwas.deleted" | "gwas.restored" | "parentage_check.deleted" | "parentage_check.restored" | "crossing_plan.deleted" | "crossing_plan.restored" | "crossing_simulation.deleted" | "crossing_simulation.restored";
                area?: "members" | "roles" | "invitations" | "settings" | "billing" | "deletion" | "tokens" | "sign-ins" | "accounts" | "operation";
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Not before. */
                from?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Part of the name or e-mail address of who did it. */
                person?: string;
                /** @description Before. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getOperatorAuditCsv: {
        parameters: {
            query?: {
                action?: "member.left" | "member.removed" | "project-member.left" | "project-member.removed" | "member.role-changed" | "project-member.role-changed" | "invitation.sent" | "invitation.resent" | "invitation.withdrawn" | "invitation.accepted" | "invitation.declined" | "organization.created" | "organization.rights-changed" | "project.created" | "project.rights-changed" | "billing.checkout-confirmed" | "billing.seats-changed" | "billing.card-changed" | "billing.subscription-changed" | "billing.payment-failed" | "billing.payment-received" | "billing.subscription-cancelled" | "organization.deleted" | "organization.restored" | "project.deleted" | "project.restored" | "crop.deleted" | "germplasm.merged" | "germplasm.deleted" | "folder.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "access-token.created" | "access-token.deleted" | "custom-token.created" | "session.started" | "session.ended" | "session.revoked" | "session.copied" | "account.email-changed" | "second-factor.added" | "second-factor.codes-renewed" | "second-factor.removed" | "account.exported" | "account.deleted" | "registration.approved" | "registration.rejected" | "signing-keys.rotated" | "demo.created" | "operator.added" | "operator.removed" | "organization.quotas-changed" | "run.repeated" | "mail.repeated" | "file.deleted" | "file.restored" | "model.deleted" | "model.restored" | "prediction.deleted" | "prediction.restored" | "gwas.deleted" | "gwas.restored" | "parentage_check.deleted" | "parentage_check.restored" | "crossing_plan.deleted" | "crossing_plan.restored" | "crossing_simulation.deleted" | "crossing_simulation.restored";
                area?: "members" | "roles" | "invitations" | "settings" | "billing" | "deletion" | "tokens" | "sign-ins" | "accounts" | "operation";
                /** @description Not before. */
                from?: string;
                /** @description Part of the name or e-mail address of who did it. */
                person?: string;
                /** @description Before. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listOperatorFailedRuns: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FailedRun"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postOperatorFailedRunRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOperatorMails: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description STORED: kept in the outbox, not sent. */
                state?: "STORED" | "SENDING" | "SENT" | "FAILED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatedMail"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postOperatorMailRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOperatorOrganizations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatedOrganization"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    updateOperatorOrganizationQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    runs: number | null;
                    storage_bytes: number | null;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatedOrganization"];
                };
            };
        };
    };
    getOperatorQueue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QueueDepth"][];
                    };
                };
            };
        };
    };
    listOperatorRegistrations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                status?: "PENDING" | "APPROVED" | "REJECTED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Registration"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postOperatorRegistrationApprove: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistrationDecision"];
                };
            };
        };
    };
    postOperatorRegistrationReject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Goes into the mail and into the audit trail. */
                    reason?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistrationDecision"];
                };
            };
        };
    };
    getOperatorWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OperatedWorker"][];
                    };
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Organization"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    /** @description Only owners may change it. */
                    managers_may_invite_managers?: boolean;
                    members_may_create_projects?: boolean;
                    name?: string;
                    /** @description Only owners may change it, who have a second factor themselves. */
                    requires_second_factor?: boolean;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOrganizationAudit: {
        parameters: {
            query?: {
                action?: "member.left" | "member.removed" | "project-member.left" | "project-member.removed" | "member.role-changed" | "project-member.role-changed" | "invitation.sent" | "invitation.resent" | "invitation.withdrawn" | "invitation.accepted" | "invitation.declined" | "organization.created" | "organization.rights-changed" | "project.created" | "project.rights-changed" | "billing.checkout-confirmed" | "billing.seats-changed" | "billing.card-changed" | "billing.subscription-changed" | "billing.payment-failed" | "billing.payment-received" | "billing.subscription-cancelled" | "organization.deleted" | "organization.restored" | "project.deleted" | "project.restored" | "crop.deleted" | "germplasm.merged" | "germplasm.deleted" | "folder.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "access-token.created" | "access-token.deleted" | "custom-token.created" | "session.started" | "session.ended" | "session.revoked" | "session.copied" | "account.email-changed" | "second-factor.added" | "second-factor.codes-renewed" | "second-factor.removed" | "account.exported" | "account.deleted" | "registration.approved" | "registration.rejected" | "signing-keys.rotated" | "demo.created" | "operator.added" | "operator.removed" | "organization.quotas-changed" | "run.repeated" | "mail.repeated" | "file.deleted" | "file.restored" | "model.deleted" | "model.restored" | "prediction.deleted" | "prediction.restored" | "gwas.deleted" | "gwas.restored" | "parentage_check.deleted" | "parentage_check.restored" | "crossing_plan.deleted" | "crossing_plan.restored" | "crossing_simulation.deleted" | "crossing_simulation.restored";
                area?: "members" | "roles" | "invitations" | "settings" | "billing" | "deletion" | "tokens" | "sign-ins" | "accounts" | "operation";
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Not before. */
                from?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Part of the name or e-mail address of who did it. */
                person?: string;
                /** @description Before. */
                to?: string;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getOrganizationAuditCsv: {
        parameters: {
            query?: {
                action?: "member.left" | "member.removed" | "project-member.left" | "project-member.removed" | "member.role-changed" | "project-member.role-changed" | "invitation.sent" | "invitation.resent" | "invitation.withdrawn" | "invitation.accepted" | "invitation.declined" | "organization.created" | "organization.rights-changed" | "project.created" | "project.rights-changed" | "billing.checkout-confirmed" | "billing.seats-changed" | "billing.card-changed" | "billing.subscription-changed" | "billing.payment-failed" | "billing.payment-received" | "billing.subscription-cancelled" | "organization.deleted" | "organization.restored" | "project.deleted" | "project.restored" | "crop.deleted" | "germplasm.merged" | "germplasm.deleted" | "folder.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "access-token.created" | "access-token.deleted" | "custom-token.created" | "session.started" | "session.ended" | "session.revoked" | "session.copied" | "account.email-changed" | "second-factor.added" | "second-factor.codes-renewed" | "second-factor.removed" | "account.exported" | "account.deleted" | "registration.approved" | "registration.rejected" | "signing-keys.rotated" | "demo.created" | "operator.added" | "operator.removed" | "organization.quotas-changed" | "run.repeated" | "mail.repeated" | "file.deleted" | "file.restored" | "model.deleted" | "model.restored" | "prediction.deleted" | "prediction.restored" | "gwas.deleted" | "gwas.restored" | "parentage_check.deleted" | "parentage_check.restored" | "crossing_plan.deleted" | "crossing_plan.restored" | "crossing_simulation.deleted" | "crossing_simulation.restored";
                area?: "members" | "roles" | "invitations" | "settings" | "billing" | "deletion" | "tokens" | "sign-ins" | "accounts" | "operation";
                /** @description Not before. */
                from?: string;
                /** @description Part of the name or e-mail address of who did it. */
                person?: string;
                /** @description Before. */
                to?: string;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getOrganizationBilling: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Billing"];
                };
            };
        };
    };
    listOrganizationCrops: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Crop"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrganizationCrop: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Crop"];
                };
            };
        };
    };
    updateOrganizationCrop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Crop"];
                };
            };
        };
    };
    deleteOrganizationCrop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOrganizationDeletedProjects: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedPlace"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postOrganizationDeletedProjectRestore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredPlace"];
                };
            };
        };
    };
    listOrganizationGermplasms: {
        parameters: {
            query?: {
                collection?: string;
                crop_id?: string;
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Gives each germplasm with one known parent a placeholder for the other, for drawing pedigrees. */
                generate_unknown_parent?: "true" | "false";
                /** @description Rows per page. */
                limit?: number;
                /** @description Progeny of this germplasm. */
                parent_id?: string;
                /** @description Part of a name, synonym, collection or parent; or a cross, `A × B` or `A/B`, either way round. */
                search?: string;
                sort?: "name" | "-name" | "collection" | "-collection" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmList"];
                };
            };
        };
    };
    createOrganizationGermplasm: {
        parameters: {
            query?: {
                crop_id?: string;
                existing?: string;
                generate_unknown_parent?: string;
            };
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: uuid */
                    crop_id?: string;
                    /**
                     * @default keep
                     * @enum {string}
                     */
                    existing?: "keep" | "fill" | "overwrite";
                    /** Format: binary */
                    file: Blob;
                    /**
                     * @default false
                     * @enum {string}
                     */
                    generate_unknown_parent?: "true" | "false";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmList"];
                };
            };
        };
    };
    getOrganizationGermplasm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmDetail"];
                };
            };
        };
    };
    updateOrganizationGermplasm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All attributes; those left out are removed. */
                    attributes?: {
                        [key: string]: string;
                    };
                    collection?: string | null;
                    cross_type?: ("BIPARENTAL" | "BACKCROSS" | "SELF" | "DH" | "CLONE" | "OPEN_POLLINATED") | null;
                    /** @description Confirms that this is another line than the one whose name differs only in case or punctuation. */
                    is_distinct?: boolean;
                    maternal_id?: string | null;
                    name?: string;
                    paternal_id?: string | null;
                    selfing_generations?: number | null;
                    /** @description All synonyms; those left out are removed. */
                    synonyms?: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Germplasm"];
                };
            };
        };
    };
    deleteOrganizationGermplasm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description For undoing.
                         */
                        change_id: string;
                    };
                };
            };
        };
    };
    postOrganizationGermplasmMerge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The germplasm that stays. It takes over synonyms, progeny and what it lacks itself.
                     */
                    into_id: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description For undoing.
                         */
                        change_id: string;
                    };
                };
            };
        };
    };
    listOrganizationGermplasmValues: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Files and runs per page. */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmValues"];
                };
            };
        };
    };
    listOrganizationGermplasmsChanges: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GermplasmChange"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postOrganizationGermplasmsChangeUndo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The germplasm that is back.
                         */
                        id: string;
                    };
                };
            };
        };
    };
    getOrganizationGermplasmsExport: {
        parameters: {
            query?: {
                crop_id?: string;
                /** @description mcpd: multi-crop passport descriptors, tab-separated. */
                format?: "csv" | "mcpd";
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    createOrganizationGermplasmsUpload: {
        parameters: {
            query?: {
                crop_id?: string;
                existing?: string;
                generate_unknown_parent?: string;
            };
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: uuid */
                    crop_id?: string;
                    /**
                     * @default keep
                     * @enum {string}
                     */
                    existing?: "keep" | "fill" | "overwrite";
                    /** Format: binary */
                    file: Blob;
                    /**
                     * @default false
                     * @enum {string}
                     */
                    generate_unknown_parent?: "true" | "false";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    getOrganizationGermplasmsUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    updateOrganizationGermplasmsUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    existing?: "keep" | "fill" | "overwrite";
                    generate_unknown_parent?: boolean;
                    mapping?: components["schemas"]["TableMappingInput"];
                    /** @description Files of the organization with the same header are read by this mapping from now on; false forgets it. */
                    remember_mapping?: boolean;
                    removed_lines?: number[];
                    rows?: {
                        collection?: string | null;
                        cross_type?: ("BIPARENTAL" | "BACKCROSS" | "SELF" | "DH" | "CLONE" | "OPEN_POLLINATED") | null;
                        /** @description Confirmed: another line than the one whose name looks the same. */
                        is_distinct?: boolean;
                        line: number;
                        maternal?: string | null;
                        name?: string;
                        paternal?: string | null;
                        selfing_generations?: number | null;
                        synonyms?: string[];
                    }[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    deleteOrganizationGermplasmsUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postOrganizationGermplasmsUploadAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Needed when there are warnings.
                     * @default false
                     */
                    confirm_warnings?: boolean;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    getOrganizationGermplasmsUploadFirstRows: {
        parameters: {
            query?: {
                header_line?: number;
                header_rows?: number;
                separator?: "," | ";" | "\t" | "|" | " ";
                sheet?: string;
            };
            header?: never;
            path: {
                organization_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstRows"];
                };
            };
        };
    };
    listOrganizationGermplasmsUploadRows: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description conflict: the file and the list give different values. */
                show?: "all" | "error" | "warning" | "create" | "change" | "same" | "conflict";
            };
            header?: never;
            path: {
                organization_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GermplasmUploadRow"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listOrganizationInvitations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentInvitation"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrganizationInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    recipient: string;
                    /**
                     * @default MEMBER
                     * @enum {string}
                     */
                    role?: "MEMBER" | "MANAGER";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
        };
    };
    deleteOrganizationInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postOrganizationInvitationResend: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
        };
    };
    listOrganizationInvoices: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invoice"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getOrganizationInvoiceDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listOrganizationMembers: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OrganizationMember"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    updateOrganizationMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "OWNER" | "MANAGER" | "MEMBER";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"];
                };
            };
        };
    };
    deleteOrganizationMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getOrganizationPedigree: {
        parameters: {
            query?: {
                /** @description Only the ancestors and descendants of this germplasm. */
                around?: string;
                crop_id?: string;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pedigree"];
                };
            };
        };
    };
    getOrganizationPedigreeCoancestries: {
        parameters: {
            query: {
                /** @description Germplasm; repeat the key for several. */
                id: string | string[];
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coancestries"];
                };
            };
        };
    };
    updateOrganizationSubscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The seats that the caller has seen. When they have changed since, the request is refused. */
                    expected_quantity?: number;
                    /** Format: uuid */
                    organization_id: string;
                    price_id: string;
                    /** @description All seats after the change. */
                    quantity: number;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    postOrganizationSubscriptionsCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    postOrganizationSubscriptionsResume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    listOrganizationWebhooks: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOrganizationWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `crossing_table.made` comes in addition to the `file.ready` of the same file. */
                    events: ("file.ready" | "run.ended" | "crossing_table.made")[];
                    name: string;
                    /**
                     * Format: uri
                     * @description Receives a `POST` for each event. Addresses inside of private networks are refused when it is called.
                     */
                    url: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    updateOrganizationWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `crossing_table.made` comes in addition to the `file.ready` of the same file. */
                    events?: ("file.ready" | "run.ended" | "crossing_table.made")[];
                    /** @description Switched off, it is told nothing; what is still waiting is given up. */
                    is_active?: boolean;
                    name?: string;
                    /** @description Makes a new secret, which the answer contains. */
                    renew_secret?: boolean;
                    /**
                     * Format: uri
                     * @description Receives a `POST` for each event. Addresses inside of private networks are refused when it is called.
                     */
                    url?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    deleteOrganizationWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOrganizationWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postOrganizationWebhookTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    postOrganizationWebhookDeliverieResend: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                organization_id: string;
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    updatePaymentmethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Needed by owners of several organizations that have a subscription.
                     */
                    organization_id?: string;
                    /** @description The payment method that the card entry has made. */
                    token: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    getPhoto: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": Blob;
                    "image/png": Blob;
                    "image/webp": Blob;
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Project"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    crop_id: string;
                    name: string;
                    /** Format: uuid */
                    organization_id: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    members_read_only?: boolean;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listProjectAudit: {
        parameters: {
            query?: {
                action?: "member.left" | "member.removed" | "project-member.left" | "project-member.removed" | "member.role-changed" | "project-member.role-changed" | "invitation.sent" | "invitation.resent" | "invitation.withdrawn" | "invitation.accepted" | "invitation.declined" | "organization.created" | "organization.rights-changed" | "project.created" | "project.rights-changed" | "billing.checkout-confirmed" | "billing.seats-changed" | "billing.card-changed" | "billing.subscription-changed" | "billing.payment-failed" | "billing.payment-received" | "billing.subscription-cancelled" | "organization.deleted" | "organization.restored" | "project.deleted" | "project.restored" | "crop.deleted" | "germplasm.merged" | "germplasm.deleted" | "folder.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "access-token.created" | "access-token.deleted" | "custom-token.created" | "session.started" | "session.ended" | "session.revoked" | "session.copied" | "account.email-changed" | "second-factor.added" | "second-factor.codes-renewed" | "second-factor.removed" | "account.exported" | "account.deleted" | "registration.approved" | "registration.rejected" | "signing-keys.rotated" | "demo.created" | "operator.added" | "operator.removed" | "organization.quotas-changed" | "run.repeated" | "mail.repeated" | "file.deleted" | "file.restored" | "model.deleted" | "model.restored" | "prediction.deleted" | "prediction.restored" | "gwas.deleted" | "gwas.restored" | "parentage_check.deleted" | "parentage_check.restored" | "crossing_plan.deleted" | "crossing_plan.restored" | "crossing_simulation.deleted" | "crossing_simulation.restored";
                area?: "members" | "roles" | "invitations" | "settings" | "billing" | "deletion" | "tokens" | "sign-ins" | "accounts" | "operation";
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Not before. */
                from?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Part of the name or e-mail address of who did it. */
                person?: string;
                /** @description Before. */
                to?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getProjectAuditCsv: {
        parameters: {
            query?: {
                action?: "member.left" | "member.removed" | "project-member.left" | "project-member.removed" | "member.role-changed" | "project-member.role-changed" | "invitation.sent" | "invitation.resent" | "invitation.withdrawn" | "invitation.accepted" | "invitation.declined" | "organization.created" | "organization.rights-changed" | "project.created" | "project.rights-changed" | "billing.checkout-confirmed" | "billing.seats-changed" | "billing.card-changed" | "billing.subscription-changed" | "billing.payment-failed" | "billing.payment-received" | "billing.subscription-cancelled" | "organization.deleted" | "organization.restored" | "project.deleted" | "project.restored" | "crop.deleted" | "germplasm.merged" | "germplasm.deleted" | "folder.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "access-token.created" | "access-token.deleted" | "custom-token.created" | "session.started" | "session.ended" | "session.revoked" | "session.copied" | "account.email-changed" | "second-factor.added" | "second-factor.codes-renewed" | "second-factor.removed" | "account.exported" | "account.deleted" | "registration.approved" | "registration.rejected" | "signing-keys.rotated" | "demo.created" | "operator.added" | "operator.removed" | "organization.quotas-changed" | "run.repeated" | "mail.repeated" | "file.deleted" | "file.restored" | "model.deleted" | "model.restored" | "prediction.deleted" | "prediction.restored" | "gwas.deleted" | "gwas.restored" | "parentage_check.deleted" | "parentage_check.restored" | "crossing_plan.deleted" | "crossing_plan.restored" | "crossing_simulation.deleted" | "crossing_simulation.restored";
                area?: "members" | "roles" | "invitations" | "settings" | "billing" | "deletion" | "tokens" | "sign-ins" | "accounts" | "operation";
                /** @description Not before. */
                from?: string;
                /** @description Part of the name or e-mail address of who did it. */
                person?: string;
                /** @description Before. */
                to?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listProjectBin: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BinEntry"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postProjectBinRestore: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Restored"];
                };
            };
        };
    };
    listProjectBrapiImports: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BrapiImport"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectBrapiImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Germplasm of the chosen trials, or all of it, with its pedigree.
                     * @default false
                     */
                    germplasm?: boolean;
                    /**
                     * @description Each gives a linkage map.
                     * @default []
                     */
                    maps?: string[];
                    /** @description Bearer token for that server. It is kept until the import has ended, and shown nowhere. */
                    token?: string;
                    /**
                     * @description Each gives one phenotype file, or one for each file that its studies name.
                     * @default []
                     */
                    trials?: string[];
                    /** @description Address of a BrAPI 2 server: `https://server.example/brapi/v2`, or without the path. */
                    url: string;
                    /**
                     * @description Each gives a genotype file.
                     * @default []
                     */
                    variant_sets?: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrapiImport"];
                };
            };
        };
    };
    getProjectBrapiImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrapiImport"];
                };
            };
        };
    };
    deleteProjectBrapiImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrapiImport"];
                };
            };
        };
    };
    postProjectBrapiImportResume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Bearer token for that server. It is kept until the import has ended, and shown nowhere. */
                    token?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrapiImport"];
                };
            };
        };
    };
    postProjectBrapiImportsLook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Bearer token for that server. It is kept until the import has ended, and shown nowhere. */
                    token?: string;
                    /** @description Address of a BrAPI 2 server: `https://server.example/brapi/v2`, or without the path. */
                    url: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrapiOffer"];
                };
            };
        };
    };
    listProjectCrossingPlans: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                genotype_id?: string;
                /** @description Rows per page. */
                limit?: number;
                model_id?: string;
                /** @description Only those whose name contains this. */
                name?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrossingPlan"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectCrossingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Accuracy of that selection, for the usefulness.
                     * @default 1
                     */
                    accuracy?: number;
                    /**
                     * @description Whether pairs already made may be planned again; otherwise they are left out, unless required.
                     * @default false
                     */
                    allow_made?: boolean;
                    /**
                     * @description Base pairs per cM when there is no linkage map.
                     * @default 1000000
                     */
                    bp_per_cm?: number;
                    /**
                     * @description Names in the genotype or, with `candidates_from` `model`, in the model. Null: everyone in the genotype, or all of the model that the pedigree has.
                     * @default null
                     */
                    candidates?: string[] | null;
                    /**
                     * @description `model`: individuals of a single-step model, genotyped or not, with its GEBVs; needs `pedigree_id` and no genotype. What segregates within their crosses is not known: `population` counts as null.
                     * @default genotype
                     * @enum {string}
                     */
                    candidates_from?: "genotype" | "model";
                    /**
                     * @description Largest group coancestry of the parents. Null: where gain and diversity give up the same share.
                     * @default null
                     */
                    cap?: number | null;
                    /**
                     * @description Number of crosses.
                     * @default 20
                     */
                    crosses?: number;
                    /** @description A crossing table whose pairs are made already. */
                    crossing_table_id?: string | null;
                    /**
                     * @description Pairs that must not be made.
                     * @default []
                     */
                    forbidden_pairs?: [
                        string,
                        string
                    ][];
                    /** @description Genotypes of the candidates. Absent: the genotype that the model was trained on. */
                    genotype_id?: string | null;
                    /**
                     * @description How the index weighs several traits.
                     * @default base
                     * @enum {string}
                     */
                    index_method?: "base" | "smith_hazel" | "desired_gains" | "restricted";
                    /**
                     * @description Traits that shall not change, with `restricted`.
                     * @default []
                     */
                    kept_traits?: string[];
                    /** @description Absent: distances from base pairs, see `bp_per_cm`. */
                    linkage_map_id?: string | null;
                    /**
                     * @description Traits in which low values are wanted.
                     * @default []
                     */
                    low_traits?: string[];
                    /**
                     * @description Where else pairs already made are looked up. `germplasm`: the parents of all lines of the crop; `crossing_tables`: all crossing tables of the project.
                     * @default []
                     */
                    made_from?: ("germplasm" | "crossing_tables")[];
                    /**
                     * @description Pair the parents for the largest spread within crosses, or for the least inbred progeny.
                     * @default usefulness
                     * @enum {string}
                     */
                    mates?: "usefulness" | "inbreeding";
                    /**
                     * @description Crosses that a parent is in at most.
                     * @default 4
                     */
                    max_uses?: number;
                    /**
                     * @description Markers that are not on the linkage map: interpolated between their neighbours, or used in the means only.
                     * @default interpolate
                     * @enum {string}
                     */
                    missing_map_markers?: "interpolate" | "drop";
                    /** Format: uuid */
                    model_id: string;
                    name: string;
                    /** @description A pedigree file from which coancestries follow, in place of the markers. It must have every candidate. */
                    pedigree_id?: string | null;
                    /**
                     * @description What is grown from each cross; no backcross. Null leaves out the spread within crosses.
                     * @default DH
                     */
                    population?: ("F1" | "F2" | "F3" | "F4" | "F5" | "F6" | "F7" | "F8" | "F9" | "RIL" | "DH" | "F2_DH" | "F3_DH" | "F4_DH" | "F5_DH" | "BC1_female" | "BC1_male" | "BC1_female_DH" | "BC1_male_DH" | "BC2_female" | "BC2_male" | "BC3_female" | "BC3_male") | null;
                    /**
                     * @description Pairs that must be made.
                     * @default []
                     */
                    required_pairs?: [
                        string,
                        string
                    ][];
                    /**
                     * @description Selected share of the progeny, for the usefulness.
                     * @default 0.05
                     */
                    selected_fraction?: number;
                    /**
                     * @description Trait → accuracy of its breeding values, for `smith_hazel`. Absent: 1.
                     * @default {}
                     */
                    trait_accuracy?: {
                        [key: string]: number;
                    };
                    /** @description Traits of the index. Absent: all trained traits. */
                    traits?: string[];
                    /**
                     * @description Trait → weight, or desired gain; positive for the wanted direction.
                     * @default {}
                     */
                    weights?: {
                        [key: string]: number;
                    };
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingPlanDetail"];
                };
            };
        };
    };
    getProjectCrossingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingPlanDetail"];
                };
            };
        };
    };
    updateProjectCrossingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingPlanDetail"];
                };
            };
        };
    };
    deleteProjectCrossingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getProjectCrossingPlanBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
        };
    };
    postProjectCrossingPlanCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingPlanDetail"];
                };
            };
        };
    };
    postProjectCrossingPlanRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingPlanDetail"];
                };
            };
        };
    };
    getProjectCrossingPlanTables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
        };
    };
    listProjectCrossingSimulations: {
        parameters: {
            query?: {
                /** @description Only those whose name contains this. */
                crossing_simulation_name?: string;
                crossing_table_id?: string;
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                genotype_id?: string;
                /** @description Rows per page. */
                limit?: number;
                linkage_map_id?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CrossingSimulation"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectCrossingSimulation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Accuracy of the selection: the square root of the heritability; 1 for selection on the genetic value itself.
                     * @default 1
                     */
                    accuracy?: number;
                    /**
                     * @description Base pairs per cM when there is no linkage map.
                     * @default 1000000
                     */
                    bp_per_cm?: number;
                    /** Format: uuid */
                    crossing_table_id: string;
                    /** @description Genotypes of the parents. Absent: the genotype that the model was trained on. */
                    genotype_id?: string | null;
                    /** @description Absent: distances from base pairs, see `bp_per_cm`. */
                    linkage_map_id?: string | null;
                    /**
                     * @description Traits in which low values are wanted.
                     * @default []
                     */
                    low_traits?: string[];
                    /**
                     * @description How recombination follows from map distance. kosambi gives the exact figures only: it says nothing about how crossovers lie along a chromosome, so no progeny are simulated.
                     * @default haldane
                     * @enum {string}
                     */
                    map_function?: "haldane" | "kosambi";
                    /**
                     * @description Markers that are not on the linkage map: interpolated between their neighbours by base pairs, or used in the means only.
                     * @default interpolate
                     * @enum {string}
                     */
                    missing_map_markers?: "interpolate" | "drop";
                    /** Format: uuid */
                    model_id: string;
                    name: string;
                    /**
                     * @description Phases the genotype first, into a file of its own, and simulates with that; for heterozygous parents.
                     * @default false
                     */
                    phase_first?: boolean;
                    /**
                     * @description Population of crosses for which the crossing table names none.
                     * @default DH
                     * @enum {string}
                     */
                    population?: "F1" | "F2" | "F3" | "F4" | "F5" | "F6" | "F7" | "F8" | "F9" | "RIL" | "DH" | "F2_DH" | "F3_DH" | "F4_DH" | "F5_DH" | "BC1_female" | "BC1_male" | "BC1_female_DH" | "BC1_male_DH" | "BC2_female" | "BC2_male" | "BC3_female" | "BC3_male";
                    /**
                     * @description Progeny of crosses for which the crossing table gives no number: as many are simulated, and the expected best is the best of as many.
                     * @default 1000
                     */
                    progeny?: number;
                    /** @description Names that stand for names of the genotype, in this run only. */
                    renames?: {
                        /** @description Name in the phenotype file or crossing table. */
                        from: string;
                        /** @description Name in the genotype file. */
                        to: string;
                    }[];
                    /**
                     * @description Seed of the simulation.
                     * @default 1
                     */
                    seed?: number;
                    /**
                     * @description Selected share of the progeny, for the usefulness.
                     * @default 0.05
                     */
                    selected_fraction?: number;
                    /** @description Traits of the model. Absent: all trained traits. */
                    traits?: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingSimulationDetail"];
                };
            };
        };
    };
    getProjectCrossingSimulation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingSimulationDetail"];
                };
            };
        };
    };
    updateProjectCrossingSimulation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingSimulationDetail"];
                };
            };
        };
    };
    deleteProjectCrossingSimulation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getProjectCrossingSimulationBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
        };
    };
    postProjectCrossingSimulationCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingSimulationDetail"];
                };
            };
        };
    };
    getProjectCrossingSimulationCrosse: {
        parameters: {
            query: {
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                place: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Counts of progeny in bins of equal width from the smallest to the largest value; null when none were simulated. */
                        histogram: {
                            counts: number[];
                            from: number;
                            to: number;
                        } | null;
                        place: number;
                        trait: string;
                    };
                };
            };
        };
    };
    getProjectCrossingSimulationProgeny: {
        parameters: {
            query: {
                cross?: number;
                limit?: number;
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            cross: string;
                            id: string;
                            values: number[];
                        }[];
                        traits: string[];
                    };
                };
            };
        };
    };
    listProjectCrossingSimulationResults: {
        parameters: {
            query: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only crosses with a name or a parent that contains this. */
                search?: string;
                /** @description A leading minus sorts in descending order. Absent: the order of the crossing table. */
                sort?: "mean" | "-mean" | "sd" | "-sd" | "usefulness" | "-usefulness" | "p_transgress" | "-p_transgress" | "expected_best" | "-expected_best" | "cross" | "-cross";
                /** @description As the phenotype file spells it. */
                trait: string;
                /** @description Another trait: adds the correlation of both traits within the progeny of each cross. */
                with?: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description Null without `with`, and when one of the traits does not vary. */
                            correlation: number | null;
                            cross: string;
                            expected_best: number;
                            /** @description Genomic relationship of the two sides of the cross (VanRaden 2008, method 1); null when it is not known, and in runs of versions before 1.1. */
                            kinship: number | null;
                            mean: number;
                            p_transgress: number;
                            parent1: string;
                            parent1_value: number;
                            parent2: string;
                            parent2_value: number;
                            /** @description Of three- and four-way crosses. */
                            parent3: string | null;
                            parent3_value: number | null;
                            /** @description Of four-way crosses. */
                            parent4: string | null;
                            parent4_value: number | null;
                            /** @description Place of the cross in the run, from 0; addresses its detail. */
                            place: number;
                            /** @enum {string} */
                            population: "F1" | "F2" | "F3" | "F4" | "F5" | "F6" | "F7" | "F8" | "F9" | "RIL" | "DH" | "F2_DH" | "F3_DH" | "F4_DH" | "F5_DH" | "BC1_female" | "BC1_male" | "BC1_female_DH" | "BC1_male_DH" | "BC2_female" | "BC2_male" | "BC3_female" | "BC3_male";
                            progeny: number;
                            sd: number;
                            /** @description Markers with an effect at which the parents differ; null in runs of versions before 1.1. */
                            segregating_markers: number | null;
                            /** @description Null when no progeny were simulated. */
                            sim_mean: number | null;
                            /** @description Null when no progeny were simulated. */
                            sim_sd: number | null;
                            usefulness: number;
                        }[];
                        next_cursor: string | null;
                        total: number;
                    };
                };
            };
        };
    };
    postProjectCrossingSimulationRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrossingSimulationDetail"];
                };
            };
        };
    };
    postProjectEstimate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `train`: training and cross-validation of a model.
                     * @enum {string}
                     */
                    analysis: "train" | "gwas";
                    /** @default false */
                    dominance?: boolean;
                    /** Format: uuid */
                    genotype_id: string;
                    /**
                     * @description Of a GWAS: leaving one chromosome out.
                     * @default false
                     */
                    loco?: boolean;
                    /** @default 5 */
                    n_fold?: number;
                    /** @default 10 */
                    n_repetition?: number;
                    /**
                     * @description Of a GWAS: with permutations.
                     * @default false
                     */
                    permutations?: boolean;
                    /** Format: uuid */
                    phenotype_id: string;
                    /**
                     * @description With a pedigree.
                     * @default false
                     */
                    single_step?: boolean;
                    /**
                     * @description Of a GWAS: steps of a multi-locus model.
                     * @default 0
                     */
                    stepwise?: number;
                    /**
                     * @default LRT
                     * @enum {string}
                     */
                    test?: "LRT" | "WALD" | "SCORE";
                    traits: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEstimate"];
                };
            };
        };
    };
    listProjectFiles: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Repeat the key for several types. */
                file_type?: ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES") | ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES")[];
                folder_id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description true: only the root. */
                root?: "true" | "false";
                /** @description Only files whose name contains this. */
                search?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The `file_id` of step 1.
                     */
                    file_id: string;
                    file_type?: ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES") | null;
                    folder_id?: string | null;
                    name: string;
                    /** @description SHA-256 of the SHA-256s (32 bytes each) of all parts in order, for senders that have no hash of the whole file. */
                    parts_sha256?: string;
                    /** @description SHA-256 of the whole file: a file that arrived damaged is INVALID. */
                    sha256?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    getProjectFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    updateProjectFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    folder_id?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    deleteProjectFile: {
        parameters: {
            query?: {
                /** @description true: also when runs use it; their results stay. */
                cascade?: "true" | "false";
            };
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postProjectFileCheck: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Rows of one individual without a design column are averaged instead of refused. */
                    average_repeated_rows?: boolean;
                    /** @description How traits of dates (W-PH-DATE) become numbers; null leaves them as they are. */
                    dates?: {
                        /** @enum {string} */
                        as: "days_after_sowing" | "day_of_year";
                        /**
                         * @description Of dates such as 01/02/2025; needed when no date of the file tells.
                         * @enum {string}
                         */
                        order?: "day_first" | "month_first";
                        /**
                         * Format: date
                         * @description Of all rows; absent when the file has a column with it.
                         */
                        sowing_date?: string;
                    } | null;
                    /** @enum {string} */
                    file_type?: "GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES";
                    /** @description Of a VCF: calls of one allele are read as homozygous in lines whose other calls have two. Otherwise such lines are errors. */
                    haploid_as_homozygous?: boolean;
                    /** @description Of a genotype: a variant in two rows is kept twice where each has an id of its own (two probes of one variant). */
                    keep_duplicate_positions?: boolean;
                    /** @description Of a table: what its columns hold, where that is not recognised; null lets it be found again. */
                    mapping?: components["schemas"]["TableMappingInput"] | null;
                    /**
                     * @description Of a matrix of calls whose header does not tell it. The first column then has their names.
                     * @enum {string}
                     */
                    matrix_rows?: "samples" | "markers";
                    /** @description Values that look like a code for missing (E-PH-MISSING-CODE) and are values. */
                    measured_values?: string[];
                    /** @description Values that mean missing, for example -999. */
                    missing_codes?: string[];
                    /** @description Confirms the coding that was found, or chooses another; null lets it be found again. */
                    numeric_coding?: ("0/1/2" | "-1/0/1" | "0/1") | null;
                    /** @description Of a VCF: dosages (DS, else GP) are read where they stand beside GT. Otherwise GT is read there. */
                    prefer_dosages?: boolean;
                    /** @description Files of the organization with the same header are read by this mapping from now on; false forgets it. */
                    remember_mapping?: boolean;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    getProjectFileExport: {
        parameters: {
            query: {
                /** @description plink: .bed/.bim/.fam (ALT in column 5 of the .bim, as PLINK 2 writes it), plink_text: .ped/.map, flapjack: each in a zip; numeric: copies of A2 as CSV, one row an individual; numeric_by_marker: one row a marker. */
                format: "vcf" | "hapmap" | "plink" | "plink_text" | "flapjack" | "numeric" | "numeric_by_marker";
            };
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": Blob;
                    "application/zip": Blob;
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    getProjectFileFirstRows: {
        parameters: {
            query?: {
                /** @description As a table of this type; absent: of the type of the file. */
                file_type?: "GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES";
                header_line?: number;
                header_rows?: number;
                separator?: "," | ";" | "\t" | "|" | " ";
                sheet?: string;
            };
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstRows"];
                };
            };
        };
    };
    postProjectFileHybrids: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    crossing_table_id?: string;
                    /** @description A pool to cross with `males`, each with each. */
                    females?: string[];
                    males?: string[];
                    /** @description Name of the new file. Absent: the name of this file with `_F1`. */
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    deleteProjectFileHybrids: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    getProjectFileLinkageMapTemplate: {
        parameters: {
            query?: {
                /** @description Base pairs in one centimorgan. */
                bp_per_cm?: number;
                /** @description 1: positions in cM from those in bp; 2: positions left blank. */
                mode?: "1" | "2";
            };
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getProjectFileMeans: {
        parameters: {
            query: {
                trait: string;
            };
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraitMeans"];
                };
            };
        };
    };
    getProjectFileMeansCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    postProjectFilePhasing: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Distances between markers; absent: 1 cM for 1,000,000 bp. */
                    linkage_map_id?: string | null;
                    /** @description Name of the phased file. Absent: the name of this file with `_phased`. */
                    name?: string;
                    /** @default 1 */
                    seed?: number;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    deleteProjectFilePhasing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    listProjectFileProblems: {
        parameters: {
            query?: {
                code?: string;
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                severity?: "error" | "warning" | "info";
            };
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileProblems"];
                };
            };
        };
    };
    getProjectFileProblemsCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getProjectFileQc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileQc"];
                };
            };
        };
    };
    listProjectFileRows: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                search?: string;
                sort?: string;
            };
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhenotypeRows"];
                };
            };
        };
    };
    getProjectFileSynonyms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CanonicalNames"];
                };
            };
        };
    };
    postProjectFileSynonyms: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the new file, or the first free one like it. Absent: the name of this file with `_renamed`. */
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConvertedFile"];
                };
            };
        };
    };
    deleteProjectFileSynonyms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDetail"];
                };
            };
        };
    };
    getProjectFileUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileUsage"];
                };
            };
        };
    };
    createProjectFilesUploadLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Send the bytes with this `content-type`.
                     * @default application/octet-stream
                     */
                    content_type?: string;
                    file_type?: ("GENOTYPE" | "PHENOTYPE" | "CROSSING_TABLE" | "LINKAGE_MAP" | "PEDIGREE" | "GENES") | null;
                    /** @description Whatever lets the sender know the file again, to go on with an upload that broke off. */
                    fingerprint?: string;
                    /** @description Null or absent: the root. */
                    folder_id?: string | null;
                    /** @description A name that is taken is refused here already; the name that counts is that of step 3. */
                    name?: string;
                    /** @description An INVALID file of the same type, which goes to the bin in the moment in which this one comes to be. */
                    replaces?: string | null;
                    /** @description Needed to upload in parts. */
                    size_bytes?: number;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadLink"];
                };
            };
        };
    };
    listProjectFolders: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                folder_id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description true: only the root. */
                root?: "true" | "false";
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Folder"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    folder_id?: string | null;
                    name: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderDetail"];
                };
            };
        };
    };
    getProjectFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                folder_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderDetail"];
                };
            };
        };
    };
    updateProjectFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                folder_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    folder_id?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FolderDetail"];
                };
            };
        };
    };
    deleteProjectFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                folder_id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listProjectGermplasms: {
        parameters: {
            query?: {
                collection?: string;
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Gives each germplasm with one known parent a placeholder for the other, for drawing pedigrees. */
                generate_unknown_parent?: "true" | "false";
                /** @description Only what the project uploaded or has in its files. */
                in_project?: "true" | "false";
                /** @description Rows per page. */
                limit?: number;
                /** @description Progeny of this germplasm. */
                parent_id?: string;
                /** @description Part of a name, synonym, collection or parent; or a cross, `A × B` or `A/B`, either way round. */
                search?: string;
                sort?: "name" | "-name" | "collection" | "-collection" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmList"];
                };
            };
        };
    };
    createProjectGermplasm: {
        parameters: {
            query?: {
                crop_id?: string;
                existing?: string;
                generate_unknown_parent?: string;
            };
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: uuid */
                    crop_id?: string;
                    /**
                     * @default keep
                     * @enum {string}
                     */
                    existing?: "keep" | "fill" | "overwrite";
                    /** Format: binary */
                    file: Blob;
                    /**
                     * @default false
                     * @enum {string}
                     */
                    generate_unknown_parent?: "true" | "false";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmList"];
                };
            };
        };
    };
    getProjectGermplasm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmDetail"];
                };
            };
        };
    };
    listProjectGermplasmValues: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Files and runs per page. */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmValues"];
                };
            };
        };
    };
    getProjectGermplasmsExport: {
        parameters: {
            query?: {
                /** @description mcpd: multi-crop passport descriptors, tab-separated. */
                format?: "csv" | "mcpd";
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "text/tab-separated-values": string;
                };
            };
        };
    };
    postProjectGermplasmsSynonyms: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Two names of one line; that which the list does not have becomes a synonym. */
                    pairs: {
                        from: string;
                        to: string;
                    }[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptSynonyms"];
                };
            };
        };
    };
    createProjectGermplasmsUpload: {
        parameters: {
            query?: {
                crop_id?: string;
                existing?: string;
                generate_unknown_parent?: string;
            };
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: uuid */
                    crop_id?: string;
                    /**
                     * @default keep
                     * @enum {string}
                     */
                    existing?: "keep" | "fill" | "overwrite";
                    /** Format: binary */
                    file: Blob;
                    /**
                     * @default false
                     * @enum {string}
                     */
                    generate_unknown_parent?: "true" | "false";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    getProjectGermplasmsUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    updateProjectGermplasmsUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    existing?: "keep" | "fill" | "overwrite";
                    generate_unknown_parent?: boolean;
                    mapping?: components["schemas"]["TableMappingInput"];
                    /** @description Files of the organization with the same header are read by this mapping from now on; false forgets it. */
                    remember_mapping?: boolean;
                    removed_lines?: number[];
                    rows?: {
                        collection?: string | null;
                        cross_type?: ("BIPARENTAL" | "BACKCROSS" | "SELF" | "DH" | "CLONE" | "OPEN_POLLINATED") | null;
                        /** @description Confirmed: another line than the one whose name looks the same. */
                        is_distinct?: boolean;
                        line: number;
                        maternal?: string | null;
                        name?: string;
                        paternal?: string | null;
                        selfing_generations?: number | null;
                        synonyms?: string[];
                    }[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    deleteProjectGermplasmsUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postProjectGermplasmsUploadAccept: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Needed when there are warnings.
                     * @default false
                     */
                    confirm_warnings?: boolean;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GermplasmUpload"];
                };
            };
        };
    };
    getProjectGermplasmsUploadFirstRows: {
        parameters: {
            query?: {
                header_line?: number;
                header_rows?: number;
                separator?: "," | ";" | "\t" | "|" | " ";
                sheet?: string;
            };
            header?: never;
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstRows"];
                };
            };
        };
    };
    listProjectGermplasmsUploadRows: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description conflict: the file and the list give different values. */
                show?: "all" | "error" | "warning" | "create" | "change" | "same" | "conflict";
            };
            header?: never;
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GermplasmUploadRow"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listProjectGwas: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                genotype_id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only those whose name contains this. */
                name?: string;
                phenotype_id?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Gwas"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectGwas: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    clumps?: components["schemas"]["ClumpingRuleInput"];
                    /**
                     * @description Markers, by name, as further fixed effects: every other marker is tested given them. Missing calls count as the mean.
                     * @default []
                     */
                    condition_on?: string[];
                    /** @description Covariate → how it is taken: factor for numbers that are codes for groups, numeric for a measurement. Without an entry numbers are numeric, words and design columns factors. */
                    covariate_kinds?: {
                        [key: string]: "numeric" | "factor";
                    };
                    /**
                     * @description Columns of the phenotype file as further fixed effects, numbers or groups; none of them one of the traits.
                     * @default []
                     */
                    covariates?: string[];
                    /**
                     * @description Test the dominance deviation of each marker too.
                     * @default false
                     */
                    dominance?: boolean;
                    exclusions?: components["schemas"]["ExclusionsInput"];
                    /**
                     * @description Principal components of the kinship as fixed effects.
                     * @default 0
                     */
                    fixed?: number;
                    /** Format: uuid */
                    genotype_id: string;
                    /**
                     * @description Leave one chromosome out: test each marker with the kinship of the markers on the other chromosomes, in a null model of its own. Markers without a chromosome are in the kinship of none, and are tested with that of all.
                     * @default false
                     */
                    loco?: boolean;
                    name: string;
                    /** @description Permute each trait this many times for a threshold of 5 % over all markers; 1000 is usual. */
                    permutations?: number;
                    /** Format: uuid */
                    phenotype_id: string;
                    /** @description Names that stand for names of the genotype, in this run only. */
                    renames?: {
                        /** @description Name in the phenotype file or crossing table. */
                        from: string;
                        /** @description Name in the genotype file. */
                        to: string;
                    }[];
                    /**
                     * @description Seed of the permutations.
                     * @default 1
                     */
                    seed?: number;
                    /** @description Search the markers that explain a trait together, in at most this many steps. Not with `loco`. */
                    stepwise?: number;
                    /**
                     * @description The test of each marker.
                     * @default LRT
                     * @enum {string}
                     */
                    test?: "LRT" | "WALD" | "SCORE";
                    /**
                     * @description Markers with a lower call rate are left out, 0–1.
                     * @default 0.9
                     */
                    thresh_callrate?: number;
                    /**
                     * @description Markers with a minor allele frequency below this are left out.
                     * @default 0.05
                     */
                    thresh_maf?: number;
                    traits: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasDetail"];
                };
            };
        };
    };
    getProjectGwas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasDetail"];
                };
            };
        };
    };
    updateProjectGwas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasDetail"];
                };
            };
        };
    };
    deleteProjectGwas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getProjectGwasBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
        };
    };
    postProjectGwasCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasDetail"];
                };
            };
        };
    };
    getProjectGwasClumps: {
        parameters: {
            query: {
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasClumps"];
                };
            };
        };
    };
    getProjectGwasMarker: {
        parameters: {
            query: {
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                marker: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasMarker"];
                };
            };
        };
    };
    getProjectGwasPlot: {
        parameters: {
            query: {
                /** @description Only this chromosome. */
                chr?: string;
                /** @description In bp, inclusive. */
                end?: number;
                /** @description In bp, inclusive. */
                start?: number;
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": Blob;
                };
            };
        };
    };
    getProjectGwasQq: {
        parameters: {
            query: {
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasQq"];
                };
            };
        };
    };
    getProjectGwasRegion: {
        parameters: {
            query: {
                chr: string;
                end: number;
                lead?: string;
                start: number;
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasRegion"];
                };
            };
        };
    };
    listProjectGwasResults: {
        parameters: {
            query: {
                /** @description Only this chromosome. */
                chr?: string;
                /** @description Only markers of the clump named after this one. */
                clump?: string;
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description In bp, inclusive. */
                end?: number;
                /** @description Only markers of these names, one to a line, at most 400. */
                ids?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only markers with a p-value up to this. */
                max_p?: number;
                /** @description Only markers with a p-value from this on. */
                min_p?: number;
                /** @description Only markers whose name contains this. */
                search?: string;
                sort?: "p" | "position";
                /** @description In bp, inclusive. */
                start?: number;
                /** @description With `chr`: all chromosomes from `chr` to this one, in natural order; `start` and `end` do not apply. */
                to_chr?: string;
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GwasRow"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postProjectGwasRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GwasDetail"];
                };
            };
        };
    };
    listProjectInvitations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentInvitation"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    recipient: string;
                    /**
                     * @default MEMBER
                     * @enum {string}
                     */
                    role?: "MEMBER" | "MANAGER";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
        };
    };
    deleteProjectInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postProjectInvitationResend: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
        };
    };
    listProjectLists: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description What the list names: lines (as files and results write them), or markers. */
                kind?: "germplasm" | "markers";
                /** @description Rows per page. */
                limit?: number;
                /** @description Only those whose name contains this. */
                name?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["List"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectList: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    /**
                     * @description What the list names: lines (as files and results write them), or markers.
                     * @enum {string}
                     */
                    kind: "germplasm" | "markers";
                    /** @description Names in their order. A name that is given twice counts once, where it came first. */
                    members: string[];
                    name: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDetail"];
                };
            };
        };
    };
    getProjectList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDetail"];
                };
            };
        };
    };
    updateProjectList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Names that are put at the end, unless they are on the list. */
                    add?: string[];
                    description?: string | null;
                    /** @description Names in their order. A name that is given twice counts once, where it came first. */
                    members?: string[];
                    name?: string;
                    /** @description Names that are taken off; others are ignored. */
                    remove?: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDetail"];
                };
            };
        };
    };
    deleteProjectList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postProjectMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    crossing_table_id?: string;
                    exclusions?: components["schemas"]["ExclusionsInput"];
                    /** Format: uuid */
                    genotype_id: string;
                    /** Format: uuid */
                    model_id?: string;
                    /** Format: uuid */
                    phenotype_id?: string;
                    /** @description Names that stand for names of the genotype, in this run only. */
                    renames?: {
                        /** @description Name in the phenotype file or crossing table. */
                        from: string;
                        /** @description Name in the genotype file. */
                        to: string;
                    }[];
                    /** @description And from this call rate on; 0.9 if absent. */
                    thresh_callrate?: number;
                    /** @description Markers are counted from this MAF on; 0.05 if absent. */
                    thresh_maf?: number;
                    traits?: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchResult"];
                };
            };
        };
    };
    listProjectMembers: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectMember"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    updateProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "OWNER" | "MANAGER" | "MEMBER";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectMember"];
                };
            };
        };
    };
    deleteProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listProjectModels: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                genotype_id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only those whose name contains this. */
                name?: string;
                phenotype_id?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Covariate → factor for numbers that are codes for groups, numeric for a measurement. */
                    covariate_kinds?: {
                        [key: string]: "numeric" | "factor";
                    };
                    /**
                     * @description Columns of the phenotype file fitted as fixed effects, in training and in each part of the evaluation.
                     * @default []
                     */
                    covariates?: string[];
                    /**
                     * @description Fits dominance beside additive effects.
                     * @default false
                     */
                    dominance_effect?: boolean;
                    exclusions?: components["schemas"]["ExclusionsInput"];
                    /**
                     * @description Principal components of the kinship fitted as fixed effects.
                     * @default 0
                     */
                    fixed?: number;
                    /** Format: uuid */
                    genotype_id: string;
                    /**
                     * @description vanraden1: VanRaden 2008, method 1; standardized: method 2.
                     * @default vanraden1
                     * @enum {string}
                     */
                    kinship?: "vanraden1" | "standardized";
                    /** @description Column of the phenotype file, such as the family: each of its groups is predicted once from all others, in place of random folds. `environment`: the means of each environment of the trial are predicted from those of the others. `n_fold` and `n_repetition` are then of no use. */
                    leave_out?: string;
                    /**
                     * @description The method of prediction.
                     * @default RRBLUP
                     * @enum {string}
                     */
                    model_type?: "RRBLUP";
                    /**
                     * @description Folds of the cross-validation.
                     * @default 5
                     */
                    n_fold?: number;
                    /**
                     * @description Repetitions of the cross-validation, each with other folds.
                     * @default 10
                     */
                    n_repetition?: number;
                    name: string;
                    /**
                     * @description Time limit in seconds for the variance estimation of a trait; null for none.
                     * @default 120
                     */
                    optimize_time?: number | null;
                    /** @description A pedigree file: single-step prediction from pedigree and markers. Individuals without genotype train the model when they have a phenotype, and get breeding values. Neither with `dominance_effect` nor with `fixed`. */
                    pedigree_id?: string | null;
                    /** Format: uuid */
                    phenotype_id: string;
                    /** @description Names that stand for names of the genotype, in this run only. */
                    renames?: {
                        /** @description Name in the phenotype file or crossing table. */
                        from: string;
                        /** @description Name in the genotype file. */
                        to: string;
                    }[];
                    /**
                     * @description Seed of the random folds.
                     * @default 1
                     */
                    seed?: number;
                    /**
                     * @description Markers with a lower call rate are left out, 0–1.
                     * @default 0.9
                     */
                    thresh_callrate?: number;
                    /**
                     * @description Markers with a minor allele frequency below this are left out.
                     * @default 0.05
                     */
                    thresh_maf?: number;
                    traits: string[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
        };
    };
    getProjectModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
        };
    };
    updateProjectModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
        };
    };
    deleteProjectModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getProjectModelBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
        };
    };
    postProjectModelCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
        };
    };
    listProjectModelEffects: {
        parameters: {
            query: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only markers whose name contains this. */
                search?: string;
                /** @description `-abs_effect`: the largest absolute effects first. */
                sort?: "position" | "-abs_effect";
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MarkerEffect"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getProjectModelEvaluation: {
        parameters: {
            query: {
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelEvaluation"];
                };
            };
        };
    };
    listProjectModelGebv: {
        parameters: {
            query: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only individuals whose name contains this. */
                search?: string;
                sort?: "-gebv" | "gebv" | "individual";
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GebvRow"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    postProjectModelRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
        };
    };
    getProjectOverview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectOverview"];
                };
            };
        };
    };
    listProjectParentageChecks: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                genotype_id?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only those whose name contains this. */
                name?: string;
                pedigree_id?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ParentageCheck"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectParentageCheck: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Share of wrong calls.
                     * @default 0.01
                     */
                    error_rate?: number;
                    /** Format: uuid */
                    genotype_id: string;
                    name: string;
                    /**
                     * @description `germplasm`: the parents of the crop; `file`: those of `pedigree_id`; `none`: no comparison.
                     * @default germplasm
                     * @enum {string}
                     */
                    pedigree?: "germplasm" | "file" | "none";
                    pedigree_id?: string | null;
                    /**
                     * @description Whose parents are sought among all genotyped individuals.
                     * @default unconfirmed
                     * @enum {string}
                     */
                    seek?: "unconfirmed" | "all" | "none";
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParentageCheckDetail"];
                };
            };
        };
    };
    getProjectParentageCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParentageCheckDetail"];
                };
            };
        };
    };
    updateProjectParentageCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParentageCheckDetail"];
                };
            };
        };
    };
    deleteProjectParentageCheck: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getProjectParentageCheckBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
        };
    };
    postProjectParentageCheckCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParentageCheckDetail"];
                };
            };
        };
    };
    listProjectParentageCheckResults: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only individuals whose name contains this. */
                search?: string;
                /** @description `verdict` (the most urgent first), `individual`, `conflict_share` or `score`; a minus turns it round. */
                sort?: string;
                verdict?: "CONFLICT" | "DOUBTFUL" | "PLAUSIBLE" | "CONFIRMED" | "UNTESTABLE";
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParentageResults"];
                };
            };
        };
    };
    postProjectParentageCheckRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParentageCheckDetail"];
                };
            };
        };
    };
    getProjectPedigrees: {
        parameters: {
            query?: {
                /** @description Only the ancestors and descendants of this germplasm. */
                around?: string;
                /** @description All germplasm of the crop, in place of what the project uses and its ancestors. */
                whole_crop?: "true" | "false";
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pedigree"];
                };
            };
        };
    };
    getProjectPedigreesCoancestries: {
        parameters: {
            query: {
                /** @description Germplasm; repeat the key for several. */
                id: string | string[];
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coancestries"];
                };
            };
        };
    };
    listProjectPredictions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                model_genotype_id?: string;
                model_id?: string;
                /** @description Only those with a model whose name contains this. */
                model_name?: string;
                model_phenotype_id?: string;
                /** @description Only those whose name contains this. */
                name?: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Prediction"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createProjectPrediction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    exclusions?: components["schemas"]["SampleExclusionsInput"];
                    /** @description Absent: the genotype that the model was trained on. */
                    genotype_id?: string | null;
                    /**
                     * @description A smaller share of found markers is refused.
                     * @default 0.5
                     */
                    min_marker_share?: number;
                    /** Format: uuid */
                    model_id: string;
                    name: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionDetail"];
                };
            };
        };
    };
    getProjectPrediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionDetail"];
                };
            };
        };
    };
    updateProjectPrediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                    name?: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionDetail"];
                };
            };
        };
    };
    deleteProjectPrediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getProjectPredictionBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
        };
    };
    postProjectPredictionCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionDetail"];
                };
            };
        };
    };
    getProjectPredictionFactorial: {
        parameters: {
            query: {
                /** @description As the phenotype file spells it. */
                trait: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factorial"];
                };
            };
        };
    };
    listProjectPredictionResults: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
                /** @description Only individuals whose name contains this. */
                search?: string;
                /** @description `individual`, `index` or a trait; a leading minus sorts in descending order. */
                sort?: string;
                /** @description As the phenotype file spells it. */
                trait?: string;
            };
            header?: never;
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionResults"];
                };
            };
        };
    };
    postProjectPredictionRetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionDetail"];
                };
            };
        };
    };
    getProjectSearch: {
        parameters: {
            query: {
                /** @description Words that the name contains, in any order. */
                search: string;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The best of each kind: equal names first, then those that begin alike. */
                        data: components["schemas"]["FoundThing"][];
                    };
                };
            };
        };
    };
    getProjectTraits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTraits"];
                };
            };
        };
    };
    updateProjectTraits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    traits: components["schemas"]["ProjectTraitInput"][];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTraits"];
                };
            };
        };
    };
    listProjectUploads: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Upload"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getProjectUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadDetail"];
                };
            };
        };
    };
    deleteProjectUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postProjectUploadParts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                project_id: string;
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Numbers of the parts, from 1. A part has the `part_bytes` of the upload; the last one may be shorter. */
                    numbers: number[];
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description From 1. */
                            number: number;
                            /** @description Accepts one PUT of exactly `size_bytes` bytes within 15 minutes, with the `content-type` of step 1 and without a token. */
                            put_url: string;
                            size_bytes: number;
                        }[];
                    };
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page; absent for the first page. */
                cursor?: string;
                /** @description Rows per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        /** @description Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    deleteSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSetupcredit: {
        parameters: {
            query?: {
                /** @description Needed by owners of several organizations that have a subscription. */
                organization_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        client_secret: string;
                    };
                };
            };
        };
    };
    postSignup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /** @description Address in the web application to go on to. */
                    return_to?: string;
                } | {
                    /** @description From the address to which a sign-in at the provider led back. */
                    proof: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description approved: a sign-in link was mailed; requested: an operator decides first.
                         * @enum {string}
                         */
                        status: "requested" | "approved";
                    };
                };
            };
        };
    };
    getStripePrice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Price"][];
                    };
                };
            };
        };
    };
    postStripeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        received: true;
                    };
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
        };
    };
    getUsersMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
        };
    };
    updateUsersMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    first_name: string;
                    last_name: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
        };
    };
    deleteUsersMe: {
        parameters: {
            query: {
                /** @description Your e-mail address. */
                confirm: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postUsersMeEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /** @description Signs out all other devices when the address changes; default false. */
                    end_other_sessions?: boolean;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Seconds for which the link works. */
                        expires_in: number;
                        /** @enum {string} */
                        status: "sent";
                    };
                };
            };
        };
    };
    deleteUsersMeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getUsersMeExport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    updateUsersMeMails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    run_mail_minutes: number | null;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
        };
    };
    updateUsersMePhoto: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": Blob;
                "image/png": Blob;
                "image/webp": Blob;
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
        };
    };
    deleteUsersMePhoto: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
        };
    };
    getUsersMeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
        };
    };
    createUsersMeSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSecondFactor"];
                };
            };
        };
    };
    deleteUsersMeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postUsersMeSecondFactorConfirm: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    postUsersMeSecondFactorRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key is carried out once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            "4XX": components["responses"]["Problem"];
            "5XX": components["responses"]["Problem"];
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
}
