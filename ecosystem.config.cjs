// For pm2: `pm2 start ecosystem.config.cjs` in the folder of your WORKFLOW.md. See docs/operating.md.
module.exports = {
  apps: [
    {
      name: 'symphony-supervisor',
      script: `${__dirname}/packages/orchestrator/bin/symphony-supervisor.js`,
      args: ['run', '--no-tui'],
      cwd: process.cwd(),
      // One per state dir: a second one would only report that and exit with 5.
      exec_mode: 'fork',
      instances: 1,
      // It signals when it is ready.
      wait_ready: true,
      listen_timeout: 30_000,
      // It ends its agents itself, cleanly. By default pm2 would send SIGINT to each of them first.
      treekill: false,
      // Above --shutdown-timeout (30 s).
      kill_timeout: 35_000,
      // Errors that a restart cannot fix: usage, an invalid workflow, a refused key, a second instance.
      stop_exit_codes: [2, 3, 4, 5],
      // Its own log files rotate; pm2's would only grow beside them.
      out_file: '/dev/null',
      error_file: `${process.cwd()}/symphony-supervisor.err`,
    },
  ],
};
