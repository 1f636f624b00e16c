// Chromium comes with the service (@sparticuz/chromium); nothing is downloaded at install time.
module.exports = { skipDownload: true };
