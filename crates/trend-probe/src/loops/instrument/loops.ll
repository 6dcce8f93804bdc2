; Hooks that are inserted into the code of loops. trend-runtime defines the layouts: loops.rs and loop_record.rs.

target triple = "x86_64-unknown-linux-gnu"

%Table = type { ptr, i64, i64, i64, i64, i64, i64 }
%Entry = type { [4 x i64], i64, i64, i64, i64, i64, i64, i64, i64 }
%Group = type { i64, i64, i64, i64, i64, i64, i64, [4 x i64] }

; One variable for the program and all of its libraries.
@trend_probe_loops_3_thread = linkonce_odr thread_local(initialexec) global { ptr, i64 } zeroinitializer, align 8
@trend_probe_loops_3_nowhere = external global i8

declare ptr @trend_probe_loops_3_table(ptr, ptr)
declare ptr @trend_probe_loops_3_record(ptr, ptr)
declare ptr @trend_probe_loops_3_group(ptr, ptr)
declare void @trend_probe_loops_3_extreme(ptr, i64, ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)

; Returns the thread's table of a loop.
define hidden ptr @trend.loop.table(ptr %loop) alwaysinline nounwind {
begin:
  %thread = call ptr @llvm.threadlocal.address.p0(ptr @trend_probe_loops_3_thread)
  %tables = load ptr, ptr %thread
  %is.new = icmp eq ptr %tables, null
  br i1 %is.new, label %slow, label %room, !prof !0
room:
  %index = load i32, ptr %loop
  %index.wide = zext i32 %index to i64
  %at = getelementptr ptr, ptr %tables, i64 %index.wide
  %known = load ptr, ptr %at
  %is.unknown = icmp eq ptr %known, null
  br i1 %is.unknown, label %slow, label %done, !prof !0
slow:
  %made = call preserve_mostcc ptr @trend.loop.new(ptr %thread, ptr %loop)
  br label %done
done:
  %table = phi ptr [ %known, %room ], [ %made, %slow ]
  ret ptr %table
}

define hidden preserve_mostcc ptr @trend.loop.new(ptr %thread, ptr %loop) noinline cold nounwind {
  %made = call ptr @trend_probe_loops_3_table(ptr %thread, ptr %loop)
  ret ptr %made
}

; Counts an activation that begins.
define hidden void @trend.loop.start(ptr %loop) alwaysinline nounwind {
  %table = call ptr @trend.loop.table(ptr %loop)
  %started.at = getelementptr %Table, ptr %table, i64 0, i32 6
  %started = load i64, ptr %started.at
  %started.new = add i64 %started, 1
  store i64 %started.new, ptr %started.at
  ret void
}

; Adds activations to the entry with their inputs.
define hidden void @trend.loop.add(ptr %entry, i64 %count, i64 %least, i64 %greatest, i64 %sum) alwaysinline nounwind {
  %activations.at = getelementptr %Entry, ptr %entry, i64 0, i32 1
  %activations = load i64, ptr %activations.at
  %activations.new = add i64 %activations, %count
  store i64 %activations.new, ptr %activations.at
  %least.at = getelementptr %Entry, ptr %entry, i64 0, i32 2
  call void @trend.loop.sums(ptr %least.at, i64 %least, i64 %greatest, i64 %sum)
  ret void
}

; Adds the costs of activations to their entry.
define hidden void @trend.loop.add.cost(ptr %entry, i64 %least, i64 %greatest, i64 %sum) alwaysinline nounwind {
  %least.at = getelementptr %Entry, ptr %entry, i64 0, i32 5
  call void @trend.loop.sums(ptr %least.at, i64 %least, i64 %greatest, i64 %sum)
  ret void
}

define hidden void @trend.loop.sums(ptr %at, i64 %least, i64 %greatest, i64 %sum) alwaysinline nounwind {
  %sum.at = getelementptr i64, ptr %at, i64 2
  %sum.was = load i64, ptr %sum.at
  %sum.new = add i64 %sum.was, %sum
  store i64 %sum.new, ptr %sum.at
  %least.was = load i64, ptr %at
  %is.less = icmp ult i64 %least, %least.was
  br i1 %is.less, label %extend, label %more, !prof !0
more:
  %greatest.at = getelementptr i64, ptr %at, i64 1
  %greatest.was = load i64, ptr %greatest.at
  %is.greater = icmp ugt i64 %greatest, %greatest.was
  br i1 %is.greater, label %extend, label %done, !prof !0
extend:
  call preserve_mostcc void @trend.loop.extend(ptr %at, i64 %least, i64 %greatest)
  br label %done
done:
  ret void
}

; Updates the extremes. Called if an activation has less or more than all before.
define hidden preserve_mostcc void @trend.loop.extend(ptr %at, i64 %least, i64 %greatest) noinline cold nounwind {
  %least.was = load i64, ptr %at
  %least.new = call i64 @llvm.umin.i64(i64 %least.was, i64 %least)
  store i64 %least.new, ptr %at
  %greatest.at = getelementptr i64, ptr %at, i64 1
  %greatest.was = load i64, ptr %greatest.at
  %greatest.new = call i64 @llvm.umax.i64(i64 %greatest.was, i64 %greatest)
  store i64 %greatest.new, ptr %greatest.at
  ret void
}

; Adds the trips of an inner loop to the entry of the activation that ended.
define hidden void @trend.loop.inner(ptr %entry, i64 %number, i64 %trips) alwaysinline nounwind {
  %inner = getelementptr %Entry, ptr %entry, i64 1
  %at = getelementptr i64, ptr %inner, i64 %number
  %sum = load i64, ptr %at
  %sum.new = add i64 %sum, %trips
  store i64 %sum.new, ptr %at
  ret void
}

; Records an activation that is kept. Its inputs differ from those of the one before, or were not compared.
define hidden preserve_mostcc ptr @trend.loop.missed(ptr %table, i64 %trips, i64 %cost, i64 %a, i64 %b, i64 %c, i64 %d) noinline nounwind {
  %group = alloca %Group
  call void @trend.loop.group(ptr %group, i64 1, i64 %trips, i64 %trips, i64 %trips, i64 %cost, i64 %cost, i64 %cost, i64 %a, i64 %b, i64 %c, i64 %d)
  %entry = call ptr @trend_probe_loops_3_record(ptr %table, ptr %group)
  ret ptr %entry
}

; Records the trips of a skipped activation that has fewer or more than all before.
define hidden preserve_mostcc void @trend.loop.extreme(ptr %table, i64 %trips, i64 %a, i64 %b, i64 %c, i64 %d) noinline cold nounwind {
  %inputs = alloca [4 x i64]
  call void @trend.loop.inputs(ptr %inputs, i64 %a, i64 %b, i64 %c, i64 %d)
  call void @trend_probe_loops_3_extreme(ptr %table, i64 %trips, ptr %inputs)
  ret void
}

; Records activations whose inputs differ from those of the ones before.
define hidden preserve_mostcc ptr @trend.loop.regrouped(ptr %table, ptr %group) noinline nounwind {
  %entry = call ptr @trend_probe_loops_3_group(ptr %table, ptr %group)
  ret ptr %entry
}

define hidden void @trend.loop.group(ptr %group, i64 %count, i64 %least, i64 %greatest, i64 %sum, i64 %cost.least, i64 %cost.greatest, i64 %cost.sum, i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline nounwind {
  store i64 %count, ptr %group
  %least.at = getelementptr %Group, ptr %group, i64 0, i32 1
  store i64 %least, ptr %least.at
  %greatest.at = getelementptr %Group, ptr %group, i64 0, i32 2
  store i64 %greatest, ptr %greatest.at
  %sum.at = getelementptr %Group, ptr %group, i64 0, i32 3
  store i64 %sum, ptr %sum.at
  %cost.least.at = getelementptr %Group, ptr %group, i64 0, i32 4
  store i64 %cost.least, ptr %cost.least.at
  %cost.greatest.at = getelementptr %Group, ptr %group, i64 0, i32 5
  store i64 %cost.greatest, ptr %cost.greatest.at
  %cost.sum.at = getelementptr %Group, ptr %group, i64 0, i32 6
  store i64 %cost.sum, ptr %cost.sum.at
  %inputs = getelementptr %Group, ptr %group, i64 0, i32 7
  call void @trend.loop.inputs(ptr %inputs, i64 %a, i64 %b, i64 %c, i64 %d)
  ret void
}

define hidden void @trend.loop.inputs(ptr %inputs, i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline nounwind {
  store i64 %a, ptr %inputs
  %b.at = getelementptr i64, ptr %inputs, i64 1
  store i64 %b, ptr %b.at
  %c.at = getelementptr i64, ptr %inputs, i64 2
  store i64 %c, ptr %c.at
  %d.at = getelementptr i64, ptr %inputs, i64 3
  store i64 %d, ptr %d.at
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 2000}
