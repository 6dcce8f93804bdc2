// The page of a study without findings: reloads itself as soon as the study changes.
(function wait() {
  const since = document.documentElement.dataset.revision;
  fetch('/api/revision?since=' + encodeURIComponent(since))
    .then((answer) => answer.json())
    .then((now) => (now.revision === since ? setTimeout(wait, 200) : location.reload()))
    .catch(() => setTimeout(wait, 1000));
})();
