// The page of a study that has no findings yet: loads itself anew when there is something else to show.
(function wait() {
  const since = document.documentElement.dataset.revision;
  fetch('/api/revision?since=' + encodeURIComponent(since))
    .then((answer) => answer.json())
    .then((now) => (now.revision === since ? setTimeout(wait, 200) : location.reload()))
    .catch(() => setTimeout(wait, 1000));
})();
