/** `npm run admin -- --help`, laid out like a manual page. */
export const ADMIN_HELP = `NAME
      npm run admin - what the operator of a Heterosis installation does from the console

SYNOPSIS
      npm run admin -- registrations list [--status pending|approved|rejected|all] [--json]
      npm run admin -- registrations approve EMAIL... [--json]
      npm run admin -- registrations reject EMAIL... [--reason TEXT] [--json]
      npm run admin -- custom-token EMAIL [--json]
      npm run admin -- keys list [--json]
      npm run admin -- keys rotate [--revoke] [--json]
      npm run admin -- operators list [--json]
      npm run admin -- operators add|remove EMAIL [--json]
      npm run admin -- second-factor remove EMAIL [--json]
      npm run admin -- organizations list [--json]
      npm run admin -- organizations quotas ID [--storage BYTES|default] [--runs NUMBER|default] [--json]
      npm run admin -- queue [--json]
      npm run admin -- runs failed [--json]
      npm run admin -- runs retry ID [--json]
      npm run admin -- mails list [--json]
      npm run admin -- mails retry ID [--json]
      npm run admin -- audit list [--json]
      npm run admin -- storage verify [--hashes] [--json]

DESCRIPTION
      Works on the database of the installation, whether its servers run or not. Give it the same environment as
      the servers (DATABASE_URL, DATA_DIR, SECRET_KEY, MAIL, PUBLIC_URL and so on). Without DATABASE_URL it uses
      the embedded database in DATA_DIR: it joins the one that runs, or starts it for as long as it needs it.
      Links in mails lead to the address of the server that was started last, which the database remembers.

COMMANDS
      registrations list
          Requests for an account, newest first. Those that wait for a decision, unless --status says otherwise.

      registrations approve EMAIL...
          Makes an account for each address and mails a sign-in link. All addresses must have asked for an account,
          otherwise none is approved. An earlier rejection is overturned; an account that exists is left as it is.

      registrations reject EMAIL...
          Turns the requests down and says so by mail. An address that has an account is refused.

      custom-token EMAIL
          Prints a token that POST /api/auth/token takes as proof of who the user is
          ({"grant_type": "custom_token", "token": "..."}), once or several times within 5 minutes. For single
          sign-on and scripts. Whoever has it can sign in as that user.

      keys list
          The keys that sign access tokens: the one in use, and those that still verify what they signed.
          Servers publish them at /.well-known/jwks.json.

      keys rotate
          Signs with a new key from now on. What the old key signed stays valid until it expires, so nobody notices.

      operators add EMAIL, operators remove EMAIL
          Gives the pages under /operator to somebody who has an account, or takes them away. Operators are mailed
          when somebody asks for an account, and do there what the commands below do here.

      second-factor remove EMAIL
          For somebody who has lost the device and the recovery codes. Make sure who is asking: with it the mailbox
          alone opens the account. The person is told by mail.

      organizations list
          All organizations with seats, storage in bytes and runs, used and allowed.

      organizations quotas ID
          Sets what an organization may use: bytes of files (--storage) and runs at a time (--runs). What is not
          given stays as it is.

      queue
          Jobs that wait and run, by lane.

      runs failed, runs retry ID
          Runs that failed for reasons of the installation and not of their files or settings, and the way to begin
          one again. Whoever had started it gets its mail.

      mails list, mails retry ID
          The latest 200 mails and what became of them; a failed one is made and sent again if a job sends it.

      audit list
          The latest 200 events of the audit trail.

      storage verify
          Rows whose files are not in the storage, and files that no row names. Changes nothing. With --hashes every
          uploaded file is read and compared with its SHA-256. Exit status 1 if anything is missing or damaged.

OPTIONS
      --storage BYTES, --runs NUMBER
          A whole number, or "default" for what the configuration says.

      --status STATUS
          pending (default), approved, rejected or all.

      --reason TEXT
          One or two sentences that go into the mail and into the audit trail.

      --revoke
          Deletes the old keys: every access token is void within a minute, and browsers get a new one by
          themselves. For a key that may be known to others, or when SECRET_KEY was lost.

      --json
          Prints one JSON document on standard output, and each problem as a JSON object on a line of standard error.
          With npm run --silent nothing else is printed.

      --help
          Shows this page.

EXIT STATUS
      0   success
      1   something else failed: the database cannot be reached, a mail was not taken (the decision stands)
      2   bad input; each problem is on standard error with its code, and nothing was changed

EXAMPLES
      npm run admin -- registrations list
      npm run admin -- registrations approve maria@example.org jan@example.org
      npm run admin -- registrations reject bot@example.com --reason "Please write from your institute's address."
      TOKEN=$(npm run --silent admin -- custom-token maria@example.org)
`;
