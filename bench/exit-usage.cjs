// Loaded by --require into a measured process: tells the runner on descriptor 3 what the process used, itself and to its very end.
// Source of the units: nodejs.org/api/process.html, resourceUsage: microseconds and KiB.
process.on('exit', () => {
  require('node:fs').writeSync(3, JSON.stringify(process.resourceUsage()));
});
