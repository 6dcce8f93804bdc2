export function Cluster({ id }: { id: string }) {
  return <h1>Cluster {id}</h1>;
}
